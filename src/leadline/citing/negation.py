"""Does a claim deny what its source affirms, or the other way round?

Clause by clause: a claim's clause is compared with the clause of the cited text that shares most terms.
"""

import re

from leadline.analysis.terms import analyse

_CLAUSE = re.compile(
    r"[.!?;:,，。；：！？、؛،؟\n()（）—]+(?:\s|$)|[，。；：！？、؛،؟]|\s(?:but|whereas|while|although|though)\s"
    r"|但是|但|然而|لكن"
)
_NEGATION = re.compile(
    r"\b(?:not|never|none|nobody|nothing|neither|nor|cannot|without|lacks?|lacked|unable|failed to|fails to)\b"
    r"|\bno\b(?![.°]?\s*\d)(?! (?:longer than|more than|less than|fewer than|doubt)\b)|n['’]t\b"
    r"|\b(?:nicht|kein\w*|ne|pas|jamais|nunca|não|не|нет|никогда)\b"
    r"|(?<!\w)(?:لا|لم|لن|ليس\w*|غير|بدون|دون)(?!\w)"
    r"|不(?![但仅只过断同久])|没有?|未(?!来)|无(?![论疑])|并非|绝非|决非|非(?![常洲])",
    re.IGNORECASE,
)
_NOT_NEGATION = re.compile(
    r"\bnot only\b|\bnot just\b|\bnot least\b|لا سيما|是不是|能不能|不得不", re.IGNORECASE
)
_SHARED = 0.5


def denies(text: str) -> bool:
    """Does `text` hold a negation?

    >>> denies("It isn't safe"), denies("not only safe"), denies("未经批准"), denies("未来很好")
    (True, False, True, False)
    """
    return bool(_NEGATION.search(_NOT_NEGATION.sub(" ", text)))


def contradicts(claim: str, cited: str) -> bool:
    """Is a clause of `claim` denied where `cited` affirms it, or the reverse?

    A clause is compared only with one that holds at least half of its terms; of several that hold equally
    many, one that agrees counts.

    >>> contradicts("The bridge is not safe.", "The bridge is safe.")
    True
    >>> contradicts("The bridge is safe.", "The bridge is safe, but the road is not.")
    False
    """
    others = [(denies(clause), frozenset(analyse(clause))) for clause in _clauses(cited)]
    for clause in _clauses(claim):
        terms = frozenset(analyse(clause))
        denied = denies(clause)
        shares = [(len(terms & other), negated == denied) for negated, other in others]
        shared, agrees = max(shares, default=(0, True))
        if terms and not agrees and shared >= _SHARED * len(terms):
            return True
    return False


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause.strip()]
