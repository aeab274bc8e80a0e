"""The language of a text, by py3langid (BSD; its model is in the wheel)."""

from functools import lru_cache
from threading import Lock
from typing import Any

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from leadline.analysis.scripts import script

LEAST_LETTERS = 20
SAMPLE = 1_000
_LOADING = Lock()
_BY_SCRIPT = {"kana": "ja", "hangul": "ko", "thai": "th", "hebrew": "he", "greek": "el"}


def language(text: str) -> str:
    """The ISO 639-1 code of the language of `text` ("" when there is too little to tell).

    Reads the first 1,000 characters. Chinese, Cantonese and Classical Chinese all count as `zh`.
    """
    sample = text[:SAMPLE]
    writing = script(sample)
    if writing in _BY_SCRIPT:
        return _BY_SCRIPT[writing]
    if writing == "han":
        return "zh"
    if sum(map(str.isalpha, sample)) < LEAST_LETTERS:
        return ""
    with _LOADING:  # else threads that start together each load the model, which takes seconds
        identifier = _identifier()
    return str(identifier.classify(sample)[0])


@lru_cache(maxsize=1)
def _identifier() -> Any:  # the package is not typed
    kind: Any = LanguageIdentifier
    return kind.from_model_file(MODEL_FILE)
