"""Words too common to search for, by script. Short lists: what questions are made of."""

ENGLISH = frozenset(
    """a about also an and any are as at be been being but by can could did do does doing done for from had has
    have having he her hers him his how i if in into is it its itself just may me might more most must my 
    of on one or our ours own shall she should so some such than that the their theirs them then there these
    they this those to too us very was we were what when where which while who whom whose why will with would
    you your yours please tell s t both each same between during among other""".split()
)
ARABIC = frozenset(
    """في من علي الي عن ما هو هي التي الذي الذين ان كان كانت هذا هذه ذلك تلك كم متي اين كيف لماذا هل مع او و قد تم
    بعد قبل بين كل اي ثم حيث عند هناك كما لقد ماذا منذ حتي اذا""".split()
)
CHINESE = frozenset(
    """什么 哪个 哪些 哪里 哪一 谁的 是谁 多少 怎么 如何 为什 何时 几个 请问 的是 是什 是哪 有哪 么是 了什 是多 有多 是否""".split()
)
RUSSIAN = frozenset(
    """и в во что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от
    меня еще о из ему когда кто где какой какая какие или это был была были для при""".split()
)
ALL = ENGLISH | ARABIC | CHINESE | RUSSIAN
