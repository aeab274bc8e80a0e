"""What turns a statement round, and stands in its sentence outside the words that are quoted: who denies or claims it, an "if", a plan.

sentence -> kinds of turning words that it has -> those that the statement leaves out
"""

import re

_KINDS = (
    # Denied.
    r"\b(?:den(?:y|ies|ied|ying|ials?)|refut\w+|disput\w+|false(?:ly)?|untrue|not true|myths?|hoax\w*|wrong(?:ly)?|mistaken\w*)\b"
    r"|否认|不实|虚假|谣言|错误地|误以为|(?<!\w)(?:نفى|نفت|ينفي|تنفي|أنكر\w*|ينكر|كاذب\w*|خاطئ\w*|غير صحيح)(?!\w)",
    # On a condition, or only possible.
    r"\b(?:if|unless|would|might|perhaps|possibly|provided that|in case)\b|如果|假如|倘若|除非|也许|或许|可能会?"
    r"|(?<!\w)(?:إذا|اذا|لو|ربما|قد ي\w+|قد ت\w+|بشرط)(?!\w)",
    # Somebody's word for it.
    r"\b(?:claim(?:s|ed|ing)?|alleg\w+|accus\w+|reportedly|supposed\w*|rumou?r\w*|critics?|suspect\w*|argu(?:e|es|ed|ing)|believ\w+|thought to"
    r"|said to|hop(?:e|es|ed|ing)|fear(?:s|ed)?|insist\w*)\b|据称|据说|声称|传闻|传言|指控|认为|怀疑|批评者"
    r"|(?<!\w)(?:يزعم\w*|زعم\w*|تزعم|يدعي|تدعي|ادعى|ادعت|يقال|اتهم\w*|مزاعم|يعتقد\w*|شائعات|منتقد\w*)(?!\w)",
    # Planned, or dropped.
    r"\b(?:plan(?:s|ned|ning)?|propos\w+|intend\w*|intention\w*|(?:was|were|is|are) to be|abandon\w*|dropped|cancel\w*|shelved|scrapped|reject\w*"
    r"|withdrawn|postponed|called off|attempt\w*|tried to|fail(?:s|ed|ure)?|expected to|due to)\b|计划|打算|拟|提议|取消|放弃|搁置|否决|未能|企图"
    r"|(?<!\w)(?:خطة|خطط|الخطة|يعتزم|تعتزم|اقترح\w*|اقتراح|مقترح|ألغي\w*|إلغاء|الغاء|تخلى|تخلت|رفض\w*|محاولة|فشل\w*)(?!\w)",
)
_TURNS = tuple(re.compile(kind, re.IGNORECASE) for kind in _KINDS)


def turned(statement: str, sentence: str) -> bool:
    """Whether a sentence denies, conditions, attributes or plans, and a statement taken from it leaves that out.

    >>> turned("The mayor stole 3 crowns.", "Officials denied that the mayor stole 3 crowns.")
    True
    >>> turned("The plan to close the mill was dropped.", "The plan to close the mill in 2024 was dropped.")
    False
    """
    return any(kind.search(sentence) and not kind.search(statement) for kind in _TURNS)
