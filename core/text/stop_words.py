"""Function words: they name nothing, cover nothing of a question, and start no name.

English in full; of other scripts those that are frequent enough to matter, as they stand in a text
without case. A language that is not here has none: its words count by their rarity alone.
"""

_ENGLISH = """
    a about above after again against all almost along already also although always am among an
    and another any are around as at away back be became because become been before began
    behind being below besides between both but by came can cannot come could currently despite
    did do does doing done down due during each earlier early either else even ever every few
    finally first following for former formerly from further gave get given go had has have
    having he hence her here hers herself him himself his how however i if in indeed initially
    instead into is it its itself just last late later latter least less like made mainly make
    many may me meanwhile might mine more moreover most mostly much must my myself near nearly
    neither never nevertheless next no none nor not nothing now of off often on once one only
    onto or originally other others otherwise our ours out over own part per perhaps please
    previously rather recently same second several she should similarly since so some soon
    still such than that the their theirs them themselves then there therefore these they third
    this those though three through throughout thus to today together too toward towards two
    under unlike until up upon us very via was we well were what whatever when whenever where
    whereas wherever whether which while who whoever whom whose why will with within without
    would yet you your yours yourself
    """
_CHINESE = """
    的 了 着 过 是 在 有 和 与 及 或 而 但 但是 也 都 就 还 又 很 最 更 不 没 没有 这 那 这个
    那个 这些 那些 哪 哪个 哪些 哪里 哪儿 什么 怎么 怎样 谁 谁的 何 为何 何时 多少 几 吗 呢 吧
    啊 我 你 他 她 它 我们 你们 他们 她们 它们 他的 她的 它的 其 之 于 由 以 为 被 把 将 从 到
    向 对 对于 因为 所以 如果 虽然 并 并且 则 若 此 该 各 每 个 位 名 一个 一种 一位 一座 后
    后来 前 中 里 上 下 时 当 等 称 称为 的是 就是 也是 是一 所 地 得 跟 让 给 用 自 会 能 可以
    可 曾 曾经 已 已经
"""
_JAPANESE = """
    の に は を が と で も や へ か な だ ば て た し れ さ よ ね ら から まで より など ほど
    だけ しか ので のに ため こと もの とき ところ よう この その あの どの ここ そこ あそこ
    どこ これ それ あれ どれ だれ 誰 何 なに いつ なぜ どう どんな いくつ ある いる する なる
    あり おり です ます でし まし であり であっ いう いっ れる られ られる せる させる ない
    なかっ なく また そして しかし および または として について による により によって における
    おける に対して 的 者 では には とは へは からは でも にも した して され された している
    していた いた あった だった である ました
"""
_KOREAN = """
    은 는 이 가 을 를 의 에 와 과 도 로 그 저 그것 이것 저것 그리고 그러나 하지만 또는 또한 및
    등 수 것 때 때문 위해 대한 대해 통해 따라 있다 있는 있었다 없다 없는 하다 하는 했다 한다
    된다 되다 되었다 이다 무엇 누구 누가 어디 언제 왜 어떤 어떻게 어느 몇 무슨 그의 그녀의 우리
    나 너 그녀 모든 더 가장 매우 아주 다른 같은 한
"""
_ARABIC = """
    في من إلى على عن مع بين حتى منذ خلال عند لدى بعد قبل تحت فوق حول ضد دون غير و أو ثم أم لكن
    بل إن أن أنّ إنّ لأن كأن لعل ليت قد لقد سوف لا لم لن ما ماذا متى أين كيف لماذا كم أي هل هو هي
    هم هن هما أنت أنا نحن هذا هذه ذلك تلك هؤلاء أولئك هنا هناك الذي التي الذين اللذان اللتان
    اللاتي كان كانت كانوا يكون تكون ليس ليست وهو وهي وكان وكانت وقد كما كل بعض جدا أيضا إذا إذ
    حيث عندما بينما فيه فيها به بها له لها منه منها عليه عليها إليه إليها
"""
_RUSSIAN = """
    и в во на не что он она оно они его её ее их им ей ему я мы ты вы меня нас вас мой наш ваш
    свой с со у о об обо от до из изо за по под над при про для без через между перед после к ко
    а но или да же ли бы б как так то тот та те того той тем том этот эта это эти этого этой
    этом этим который которая которое которые которого которой котором которым которых был была
    было были быть есть будет где когда куда откуда кто кого кому кем чего чему чем чей чья чьё
    почему зачем какой какая какое какие какого каком сколько уже ещё еще только лишь также тоже
    если чтобы потом затем там тут здесь всё все весь вся ни нет
"""
_GREEK = """
    ο η το οι τα του της των τον την τη τους τις στο στη στην στον στα στις στους στου και ή κι
    να θα δε δεν μη μην με σε από για ως προς κατά μετά παρά αντί χωρίς πριν μέχρι έως ενώ όταν
    όπου όπως ότι που πως πώς πού πότε ποιος ποια ποιο ποιοι ποιες ποιον ποιαν ποιου ποιας τι
    γιατί πόσο πόσα πόσοι είναι ήταν είχε έχει έχουν είχαν αυτός αυτή αυτό αυτοί αυτές αυτά
    αυτού αυτής αυτών αυτόν αυτήν αυτούς εκείνος εκείνη εκείνο ένας μια μία ένα ενός μιας μου
    σου μας σας αλλά όμως αν επίσης εκεί εδώ όλα όλοι όλες κάθε πολύ πιο
"""

STOP_WORDS = frozenset(
    " ".join((_ENGLISH, _CHINESE, _JAPANESE, _KOREAN, _ARABIC, _RUSSIAN, _GREEK)).casefold().split()
)
