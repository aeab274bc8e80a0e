class ServerManager:
    def release_server(self, path: str) -> None: ...

server_manager_instance: ServerManager
