"""Words too common to search for, by script. Short lists: what questions are made of."""

ENGLISH = frozenset(
    """a about also an and any are as at be been being but by can could did do does doing done for from had has
    have having he her hers him his how i if in into is it its itself just many may me might more most much must my
    of on one or our ours own shall she should so some such than that the their theirs them then there these
    they this those to too us very was we were what when where which while who whom whose why will with would
    you your yours please tell s t both each same between during among other""".split()
)
ARABIC = frozenset(
    """في من علي الي عن ما هو هي التي الذي الذين ان كان كانت هذا هذه ذلك تلك كم متي اين كيف لماذا هل مع او و قد تم
    بعد قبل بين كل اي ثم حيث عند هناك كما لقد ماذا منذ حتي اذا""".split()
)
CHINESE = (
    *"""什么时候 为什么 怎么样 什么 甚麼 什麼 哪里 哪儿 哪个 哪些 哪一年 哪年 哪 多少 怎么 怎麼 如何 请问 請問 何时 何处 谁 誰
    吗 嗎 呢""".split(),
    "的",
    "(?<![终終完为為除])了(?![解不结結得如望然断斷当當])",
)
"""Patterns at which runs of Han characters are cut before they become bigrams; longer ones come first."""

RUSSIAN = frozenset(
    """и в во что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от
    меня еще о из ему когда кто где какой какая какие или это был была были для при""".split()
)
ALL = ENGLISH | ARABIC | RUSSIAN
