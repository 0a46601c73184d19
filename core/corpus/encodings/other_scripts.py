"""Tell by its letters which encoding a short text in another script than Latin is in.

Detectors need longer texts. Here each candidate is scored by how likely its letters are in the
language that it is used for: in bits, `-log2 p` summed over the words with letters beyond ASCII.
Read in a wrong encoding, rare letters appear, capitals inside words, and letters of other scripts.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from math import log2

_WORD = re.compile(r"[A-Za-z\u0080-\U0010ffff]+")
_FOREIGN = 16.0  # bits of a letter that a script has not
_MIXED = 6.0  # more behind a letter of ASCII
_ASCII_IN_LATIN, _ASCII_ELSEWHERE = 4.5, 8.5
_BEYOND_IN_LATIN = 7.5
_ELSEWHERE = 10.0  # bits of a text in another script, which is rarer
_CAPITAL, _CAPITAL_INSIDE = 2.0, 8.0  # more than the small letter
_KANA, _KATAKANA, _HALF_WIDTH = 6.5, 7.5, 12.0
_USUAL, _RARE = 13.5, 17.0  # ideographs and syllables that are in no list
_OTHER = 2 * _FOREIGN  # what is neither
_SIGN = 6.0  # '。' and the like

# Letters by frequency.
_RUSSIAN = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґўјњљћђџ"
_GREEK = "αοιετσνηυρπκμλςωδίόάγέήχθύφώβξζψϊϋΐΰ"
_HEBREW = "יוהלאתמרבשנעדחקםפכסטגןצזךףץ"
_ARABIC = "الينمورتبةعدسفهكقحجشطصأخإذزضغثىءئظآؤپچژگ"
_THAI = "าน่รอกเง้มยลวดทสตะปบคแหไัจพชิ์ีขใ็โผถซธศุูำณึืฟษภญฐฎฏฬฮฑฒฌฉๆ"
_HANGUL = (
    "이다는을가에의은고하지한기로도사를니서그나어라자리있대인으들일해시아만보부수게전스여상정주제"
    "과것원거장조국안모면소미무선공구할았었년생유성중학동와했내화관문세신방회비체진오경물된말야산"
    "적위분연강실발용계때더우심결양단영속점식당트까음민저노명차반람않두같교표마간재역드작업터또본"
    "러살개불없금습름치후버출래품"
)
_SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
    "发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本"
    "前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很"
    "最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度"
    "门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电"
    "数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马"
)
_TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過"
    "發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本"
    "前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很"
    "最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度"
    "門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電"
    "數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬"
)
_FINALS = frozenset("ςםןךףץ")  # which end a word

Bits = Callable[[str, str, str], float]
"""Bits of a letter, the one before it and the one behind it in a word; "" where there is none."""


@cache
def _bits_by_rank(letters: str) -> dict[str, float]:
    """Return the bits of each letter by its rank: frequencies fall about as 1 / (rank + 4)."""
    total = sum(1 / (rank + 4) for rank in range(len(letters)))
    return {letter: log2(total * (rank + 4)) for rank, letter in enumerate(letters)}


def _alphabet_cost(letters: str) -> Bits:
    """Return the cost function of an alphabet, from its letters by falling frequency."""
    known = _bits_by_rank(letters)

    def bits(letter: str, before: str, after: str) -> float:
        """Return the bits of a letter; capitals and letters after ASCII cost more."""
        small = letter.lower()
        cost = known.get(small, _FOREIGN) + _MIXED * (before.isascii() and before.isalpha())
        if letter != small:
            cost += _capital_cost(before)
        elif letter in _FINALS and after:
            cost = _FOREIGN
        return cost

    return bits


def _chinese_cost(letters: str, level_one: Callable[[str], bool]) -> Bits:
    """Return the cost function of Chinese: frequent characters by rank, others by `level_one`."""
    known = _bits_by_rank(letters)

    def bits(letter: str, _: str, __: str) -> float:
        if letter in known:
            return 1 + known[letter]
        return _ideograph_cost(letter, level_one)

    return bits


_KANJI = _bits_by_rank(_TRADITIONAL)


def _ideograph_cost(letter: str, level_one: Callable[[str], bool]) -> float:
    if not "\u4e00" <= letter <= "\u9fff":
        return _OTHER
    return _USUAL if level_one(letter) else _RARE


def _japanese_cost(letter: str, _: str, __: str) -> float:
    """Return the bits of a Japanese letter: fixed for kana, by frequency for kanji."""
    if "\u3040" <= letter <= "\u309f":
        return _KANA
    if "\u30a0" <= letter <= "\u30ff":
        return _KATAKANA
    if "\uff66" <= letter <= "\uff9f":
        return _HALF_WIDTH
    return min(_ideograph_cost(letter, _in_jis), 2 + _KANJI.get(letter, _FOREIGN))


def _korean_cost(letter: str, _: str, __: str) -> float:
    """Return the bits of a Korean letter, by its rank among frequent syllables."""
    known = _bits_by_rank(_HANGUL)
    if letter in known:
        return 1 + known[letter]
    return _USUAL if "\uac00" <= letter <= "\ud7a3" else _OTHER


def _latin_cost(letter: str, before: str, _: str) -> float:
    return _BEYOND_IN_LATIN + _capital_cost(before) * (letter != letter.lower())


def _capital_cost(before: str) -> float:
    inside = before.isalpha() and before == before.lower()
    return _CAPITAL_INSIDE if inside else _CAPITAL


def _level(encoding: str, first: int, last: int) -> Callable[[str], bool]:
    """Return a test for the usual characters of `encoding`: first byte from `first` to `last`."""

    def within(letter: str) -> bool:
        """Return whether the first byte of `letter` is in the range of the usual characters."""
        try:
            return first <= letter.encode(encoding)[0] <= last
        except UnicodeEncodeError:
            return False

    return within


_in_jis = _level("euc_jp", 0xB0, 0xCF)
_CYRILLIC = _alphabet_cost(_RUSSIAN)
_GREEK_BITS, _HEBREW_BITS = _alphabet_cost(_GREEK), _alphabet_cost(_HEBREW)
_SCRIPTS: dict[str, Bits] = {
    "cp1251": _CYRILLIC,
    "koi8_r": _CYRILLIC,
    "cp866": _CYRILLIC,
    "cp1253": _GREEK_BITS,
    "iso8859_7": _GREEK_BITS,
    "cp1255": _HEBREW_BITS,
    "cp1256": _alphabet_cost(_ARABIC),
    "tis_620": _alphabet_cost(_THAI),
    "cp932": _japanese_cost,
    "euc_jp": _japanese_cost,
    "gb18030": _chinese_cost(_SIMPLIFIED, _level("gb2312", 0xB0, 0xD7)),
    "big5": _chinese_cost(_TRADITIONAL, _level("big5", 0xA4, 0xC6)),
    "cp949": _korean_cost,
}


def likeliest(data: bytes, latin: str) -> list[tuple[float, str]]:
    """Return the candidates that can be read, each with its bits, the likeliest first.

    Parameters
    ----------
    latin : the best encoding of a European language in Latin letters, a candidate too.
    """
    ranked = []
    for encoding, bits in {**_SCRIPTS, latin: _latin_cost}.items():
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        first, ascii_bits = (
            (0.0, _ASCII_IN_LATIN) if encoding == latin else (_ELSEWHERE, _ASCII_ELSEWHERE)
        )
        ranked.append((sum(_letter_costs(text, bits, ascii_bits), first), encoding))
    return sorted(ranked, key=lambda each: each[0])


def _letter_costs(text: str, bits: Bits, ascii_bits: float) -> Iterator[float]:
    """Yield the cost in bits of each letter of the words with non-ASCII letters.

    The lower the total, the more plausible the decoding.
    """
    for match in _WORD.finditer(text):
        word = match[0]
        if word.isascii():
            continue
        for letter, before, after in zip(word, f" {word}", [*word[1:], ""], strict=False):
            if letter.isascii():
                yield ascii_bits
            elif letter.isalpha() or "\u0e31" <= letter <= "\u0e4e":  # Thai vowel and tone marks
                yield bits(letter, before.strip(), after)
            else:
                yield _SIGN if letter in "。、，．「」！？・“”‘’„–—…€£«»¿¡ー" else _FOREIGN
