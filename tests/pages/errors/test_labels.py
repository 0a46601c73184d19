"""Labels on the Errors page: the table of labels, merging, splitting, and filtering by label."""

from core.reviews import Change, Codes, Reviews
from core.runs import Run
from core.store.index import Index
from tests.pages.conftest import QUESTION
from tests.pages.errors.review_page import NARROW, WHERE, asked, listed, page, told
from tests.pages.journeys import checked


def test_the_list_is_that_of_a_label_and_stays_it_while_labels_are_given(
    tiny_index: Index, run: Run
) -> None:
    reviews = Reviews(tiny_index.path)
    label = Codes(reviews).add("wrong [town]").id
    reviews.say("ann", [Change(QUESTION.text, NARROW, on=(label,))])
    app = page(which="all", retriever=NARROW)
    choice = app.selectbox(key="errors_choose_label")
    assert choice.options == ["Label: any", "Label: wrong [town]"]
    checked(choice.set_value("wrong [town]").run())
    assert "".join(app.query_params["label"]) == "wrong [town]"
    assert [row["text"] for row in listed(app)["rows"]] == [QUESTION.text]
    checked(app.get("button_group")[-1].set_value([]).run())  # without it, it stays in the list
    assert reviews.all("ann") == []
    assert [row["text"] for row in listed(app)["rows"]] == [QUESTION.text]
    checked(app.selectbox(key="errors_choose_label").set_value("").run())
    assert len(listed(app)["rows"]) == 2


def test_the_list_is_that_of_a_cell_of_the_labels(tiny_index: Index, run: Run) -> None:
    app = page()
    app.text_input(key="errors_new_label").set_value("wrong person")
    checked(app.run())
    labels = page(show="labels")
    checked(labels.button(key="codes_cell_0_0").click().run())
    assert listed(labels)["total"] == 1
    checked(labels.button(key="errors_widen").click().run())
    assert listed(labels)["total"] == 2


def test_labels_are_merged_and_split_on_the_page(tiny_index: Index, run: Run) -> None:
    codes = Codes(Reviews(tiny_index.path))
    made = [codes.add(name).id for name in ("person", "town")]
    app = page(show="labels")
    app.get("button_group")[-1].set_value(made)
    app.text_input(key="codes_into").set_value("wrong entity")
    checked(app.button(key="codes_merge_go").click().run())
    assert {code.axial for code in codes.all()} == {"wrong entity"}
    checked(app.button(key="codes_axial_split_0").click().run())
    assert {code.axial for code in codes.all()} == {""}


def test_undo_names_the_newest_act_and_shows_the_labels_it_took_back(
    tiny_index: Index, run: Run
) -> None:
    codes = Codes(Reviews(tiny_index.path))
    made = [codes.add(name).id for name in ("paraphrase", "wording")]
    app = page()
    assert app.button(key="errors_undo").disabled
    checked(app.button(key="errors_pass").click().run())
    codes.merge("ann", made, "words")
    app = page()
    undo = app.button(key="errors_undo")
    assert undo.help.replace("\\", "") == "Undo: merge into 'words' (u)"
    checked(undo.click().run())
    assert [one.value.replace("\\", "") for one in app.toast] == ["Undone: merge into 'words'"]
    assert {code.axial for code in codes.all()} == {""}
    undo = app.button(key="errors_undo")
    assert undo.label.startswith("Undo: pass on")
    checked(undo.click().run())
    assert told(app).startswith("Undone: pass on question")
    assert Reviews(tiny_index.path).all() == []
    assert app.button(key="errors_undo").disabled
    assert asked(app)


def test_the_table_of_labels_is_as_its_address_says(tiny_index: Index, run: Run) -> None:
    codes = Codes(Reviews(tiny_index.path))
    Reviews(tiny_index.path).say("ann", [Change(QUESTION.text, NARROW, on=(codes.add("x").id,))])
    app = page(show="labels")
    checked(app.get("button_group")[1].set_value("verdict").run())
    assert "".join(app.query_params["columns"]) == "verdict"
    again = page(show="labels", columns="verdict")
    assert again.session_state["codes_by"] == "verdict"


def test_a_single_label_is_renamed_and_has_nothing_to_merge_with(
    tiny_index: Index, run: Run
) -> None:
    codes = Codes(Reviews(tiny_index.path))
    Reviews(tiny_index.path).say("ann", [Change(QUESTION.text, NARROW, on=(codes.add("x").id,))])
    app = page(show="labels")
    keys = {one.key for one in app.button}
    assert "codes_rename_go" in keys
    assert "codes_merge_go" not in keys
    assert not any("until" in one.value for one in app.caption)


def test_two_labels_are_made_of_one_by_its_notes(tiny_index: Index, run: Run) -> None:
    reviews = Reviews(tiny_index.path)
    label = Codes(reviews).add("wrong").id
    with_current_gold = [Change(one.text, NARROW, on=(label,)) for one in (QUESTION, WHERE)]
    reviews.say("ann", with_current_gold)
    app = page(show="labels")
    app.multiselect(key="codes_divided_notes").set_value([0])
    app.text_input(key="codes_divided_name").set_value("wrong town")
    checked(app.button(key="codes_divide_go").click().run())
    made = next(one.id for one in Codes(reviews).all() if one.name == "wrong town")
    assert sorted(one.labels for one in reviews.all()) == [(label,), (made,)]
    checked(app.button(key="errors_undo").click().run())
    assert [one.labels for one in reviews.all()] == [(label,), (label,)]


def test_the_list_is_that_of_a_merged_label(tiny_index: Index, run: Run) -> None:
    reviews = Reviews(tiny_index.path)
    codes = [Codes(reviews).add(name).id for name in ("town", "river")]
    reviews.say("ann", [Change(QUESTION.text, NARROW, on=tuple(codes))])
    Codes(reviews).merge("ann", codes, "place")
    app = page(which="all", retriever=NARROW)
    choice = app.selectbox(key="errors_choose_label")
    assert choice.options == ["Label: any", "Label: place"]
    checked(choice.set_value("place").run())
    assert [row["text"] for row in listed(app)["rows"]] == [QUESTION.text]
