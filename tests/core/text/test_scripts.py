"""Words, names and sentences beyond the Latin script."""

import pytest

from core.text.entities.keywords import Keywords
from core.text.entities.mentions import entity_key
from core.text.entities.passage_names import Bearers, names
from core.text.sentences import sentences
from core.text.tokens import tokens, words
from core.types import Passage


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("中国现代文学", ["中国", "现代", "文学"]),
        ("NHK放送2024年", ["nhk", "放送", "2024", "年"]),
        ("한글은 한글의 한글", ["한글", "한글", "한글"]),
        ("والبحيرة للبحيرة بحيرة", ["بحير"] * 3),
        ("Москва, в Москве", ["москв", "в", "москв"]),
        ("Го́голь Гоголь", ["гогол", "гогол"]),
        ("Αθήνα της Αθήνας", ["αθην", "τησ", "αθην"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("Rome’s café, Łódź", ["rome", "café", "łódź"]),
        ("Wen Lihua (文丽华), a physician", ["wen", "lihua", "文丽华", "a", "physician"]),
    ],
)
def test_words_of_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_token_says_where_it_stands_behind_signs_of_two_units() -> None:
    text = "𠀀😀中国 Rome 银行"
    assert [text[token.start : token.end] for token in tokens(text)] == [
        token.text for token in tokens(text)
    ]


@pytest.mark.parametrize(
    ("title", "text", "found"),
    [
        ("林晓雨", "设计者是林晓雨的朋友。", ("林晓雨",)),
        ("霧ヶ丘", "彼は霧ヶ丘で生まれた。", ("霧ヶ丘",)),
        ("マリア", "マリアンヌは歌う。", ("マリアンヌ",)),
        ("달무리 마을", "그는 달무리 마을에서 산다.", ("달무리 마을",)),
        ("الزيتونة", "ولدت ليلى بالزيتونة.", (entity_key("الزيتونة"),)),
        ("Вольногорск", "она родилась в Вольногорске", ("вольногорск",)),
        ("x", "《月光下的河》发表于1918年。", ("1918", "月光下的河")),
        ("x", "「はい。」とアルベルト・ノイマンが言った。", ("アルベルト ノイマン",)),
    ],
)
def test_names_without_spaces_or_capitals(title: str, text: str, found: tuple[str, ...]) -> None:
    assert Keywords([title]).of(text) == found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("青石镇位于白鹭河边。", "青石镇"),
        ("这座桥是新的。", ""),
        ("霧ヶ丘は町である。", "霧ヶ丘"),
        ("달무리 마을은 작다.", "달무리 마을"),
        ("ليلى حداد هي رسامة.", "ليلى حداد"),
        ("Вольногорск — город.", "Вольногорск"),
        ("Η Λευκόπετρα είναι χωριό.", "Η Λευκόπετρα"),
    ],
)
def test_what_a_text_is_about_stands_in_for_its_title(text: str, name: str) -> None:
    assert names([Passage("p", "p", 0, "", text)]) == (name,)


def test_a_longer_name_is_found_by_its_words() -> None:
    assert Bearers(["青石镇博物馆", "云山镇"]).of(entity_key("青石镇")) == [0]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("他说：“你好。我来了。”然后走了！", 2),
        ("Он родился в 1950 г. в г. Вольске. Потом уехал.", 2),
        ("Τι είναι; Είναι λίμνη.", 2),
        ("هل هذا صحيح؟ نعم.", 2),
    ],
)
def test_sentences_end_as_their_language_ends_them(text: str, count: int) -> None:
    assert len(sentences(text)) == count
