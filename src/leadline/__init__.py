"""Leadline answers hard questions from your own documents, and every sentence names the passage it rests on.

Names are imported when they are first used, so that `import leadline` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.config import Settings
    from leadline.errors import LeadlineError
    from leadline.run import Budget, Run
    from leadline.sync import Leadline
    from leadline.types import Answer, Citation, Claim, Evidence, Hit, StopReason, Support

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Budget",
    "Citation",
    "Claim",
    "Evidence",
    "Hit",
    "Leadline",
    "LeadlineError",
    "Run",
    "Settings",
    "StopReason",
    "Support",
]

_HOMES = {
    "Answer": "types",
    "Budget": "run",
    "Citation": "types",
    "Claim": "types",
    "Evidence": "types",
    "Hit": "types",
    "Leadline": "sync",
    "LeadlineError": "errors",
    "Run": "run",
    "Settings": "config",
    "StopReason": "types",
    "Support": "types",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'leadline' has no attribute {name!r}")
    return getattr(import_module(f"leadline.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
