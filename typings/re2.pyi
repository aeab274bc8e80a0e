class Options:
    log_errors: bool
    max_mem: int

class error(Exception): ...

class Regexp:
    def search(self, text: str) -> object | None: ...

def compile(pattern: str, options: Options | None = None) -> Regexp: ...
