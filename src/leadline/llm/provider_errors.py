"""What went wrong at a provider, in words of ours: nothing that a server or a library wrote is passed on."""

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UserError,
)

from leadline.endpoints import MAY_PASS
from leadline.errors import ModelFailed, ModelUnusable
from leadline.llm.failures import PassingFailure
from leadline.llm.options import ModelOptions
from leadline.llm.wire import shown

_BUSY = (ModelRateLimitError, ModelUnavailableError, ModelServerError)


def explained(error: Exception, options: ModelOptions) -> ModelFailed:
    """The error to raise instead."""
    who = f"{options.provider}:{options.name}" + (f" at {shown(options.url)}" if options.url else "")
    if isinstance(error, ModelAuthenticationError):
        if options.key:
            return ModelUnusable(f"{who} refuses the key in {options.key_from}{_status(error)}. Correct it.")
        return ModelUnusable(
            f"{who} asks for a key{_status(error)}. Set the environment variable LEADLINE_API_KEY."
        )
    if isinstance(error, ModelNotFoundError):
        return ModelUnusable(
            f"{who} is not there{_status(error)}. Check the name of the model and the address (`base_url`)."
        )
    if isinstance(error, ModelQuotaExceededError):
        return ModelUnusable(f"{who} has no credit left{_status(error)}. Add some, or take another model.")
    if isinstance(error, ModelContextWindowExceededError):
        return ModelFailed(f"{who} has less context than was sent. Set `llm.context` to what it has.")
    if isinstance(error, UserError):
        return ModelFailed(f"{who} cannot be asked this way")
    return _passing(error, who, options) or ModelFailed(f"{who} rejects the request{_status(error)}")


def _passing(error: Exception, who: str, options: ModelOptions) -> PassingFailure | None:
    """What may succeed the next time."""
    wait = error.retry_after if isinstance(error, ModelAPIError) else None
    if isinstance(error, ModelTimeoutError | TimeoutError):
        return PassingFailure(f"{who} gave no reply in {options.seconds:g} s", wait)
    if isinstance(error, ModelConnectionError):
        return PassingFailure(f"{who} {_out_of_reach(error)}", wait)
    if isinstance(error, _BUSY) or _status_code(error) in MAY_PASS:
        return PassingFailure(f"{who} is busy or fails{_status(error)}", wait)
    if isinstance(error, ModelHTTPError | ModelRequestRejectedError):
        return None
    return PassingFailure(f"{who} sent what is no reply", wait)


def is_bad_request(error: ModelRequestRejectedError) -> bool:
    """Whether it may be one word of the request that the server does not take."""
    special = ModelAuthenticationError | ModelNotFoundError | ModelContextWindowExceededError
    return not isinstance(error, special)


def _out_of_reach(error: ModelConnectionError) -> str:
    return "cannot be reached" if error.phase in ("connect", "pool") else "ended the connection"


def _status_code(error: Exception) -> int:
    return error.status_code if isinstance(error, ModelHTTPError) else 0


def _status(error: Exception) -> str:
    code = _status_code(error)
    return f" ({code})" if code else ""
