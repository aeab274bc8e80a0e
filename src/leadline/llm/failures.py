"""A call that failed but may succeed when it is made again."""

from leadline.errors import ModelFailed


class PassingFailure(ModelFailed):
    """The server is busy or out of reach, or sent what is no reply. `wait` is the seconds it asked for."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(message)
