"""Corpus: choose files, preview their passages, and build an index."""

from collections.abc import Sequence

import streamlit as st

from core.corpus.chunking.chunker import Chunking
from core.corpus.faq_documents import with_faqs
from core.corpus.formats import compressed, listed
from core.text.display.plurals import number
from pages.components.building.adding_files import (
    addable,
    chunking_of,
    is_adding,
    join_files,
    set_adding,
    show_addition,
)
from pages.components.building.form import show_add_form, show_build_form
from pages.components.corpus.chosen_files import (
    ChosenFile,
    choose_files,
    chosen_files,
    forget_files,
    set_used_files_aside,
    show_used_files,
    sweep,
)
from pages.components.corpus.chunking_preview import (
    choose_chunking,
    keep_whole,
    length_histogram,
    show_cutting,
    show_numbers,
)
from pages.components.corpus.file_reading import choose_references, corpus_of, passages_of
from pages.components.corpus.file_report import show_account, show_file_names, show_rejected
from pages.components.corpus.gold_names import choose_gold_names, with_chosen_names
from pages.components.corpus.gold_preview import gold_preview, show_gold, show_gold_told
from pages.components.shell import layout, nav
from pages.components.shell.charts import show_chart
from pages.components.shell.figures import section, show_words

nav.guard()

RECOGNISED = (
    ("Documents", f"{listed('document')}, and zip files of any of these"),
    ("Records", f"{listed('record')} with title and text; ids are kept"),
    ("Compressed with gzip", compressed()),
    (
        "Question sets with gold",
        "HotpotQA, 2WikiMultiHopQA, MuSiQue, MultiHop-RAG, SQuAD, FRAMES, ragas, TREC qrels",
    ),
    (
        "Corpora",
        "BEIR (corpus, queries and qrels together), MS MARCO, Pyserini, HippoRAG, MultiHop-RAG’s "
        "articles; stores of LangChain, LlamaIndex and LightRAG",
    ),
    (
        "Vectors with texts",
        "a column vector in Parquet or JSONL; .npy beside a JSONL of the same name and order; a "
        "LanceDB table, by the path of its folder on the server (it cannot be uploaded)",
    ),
    (
        "Your own questions",
        "JSONL or CSV with questions, answers and gold passages, identified by id or title",
    ),
)

BECOMES = (
    (
        "content_cut",
        "Split",
        "Documents are split at headings, and long sections at paragraphs and sentences. You "
        "preview the passages before the build and can change how they are split.",
    ),
    (
        "contact_support",
        "Generate",
        "Each passage gets pseudo-queries: questions that it answers and questions that it raises.",
    ),
    (
        "hub",
        "Connect",
        "An edge joins the passage that raises a question to the passage that answers it.",
    ),
    (
        "route",
        "Walk",
        "Ask a question and follow the edges, hop by hop, to the passages that answer it.",
    ),
)
"""What is made of files, in the order in which it is: an icon, a name, and a sentence."""

FEWEST_IN_A_HISTOGRAM = 5

COMMAND = (
    "python -m core build FILE... --index DIR --chunk {} --embedder NAME "
    "[--pseudo-queries FILE | --graph FILE] [--openie FILE | --extract] [--hub-limit N] "
    "[--in-questions N] [--out-questions N] [--edge-cap N]"
)


def show_corpus(files: Sequence[ChosenFile]) -> str:
    """Show the contents of the files, the possible next steps, and the equivalent command.

    Nothing here ends the run early: Streamlit would then still hold what was ticked in widgets
    that are gone, and take it for said when they are drawn again, though they are shown empty.
    """
    # Drawn before anything is read: whatever the files do, they can be taken away again.
    with st.container(horizontal=True, vertical_alignment="center"):
        title = st.container(width="stretch")
        with st.popover("Remove all", key="corpus_remove_all"):
            st.caption(
                f"Remove {number(len(files), 'file')} and "
                f"{'its' if len(files) == 1 else 'their'} settings. Uploads are deleted; "
                "indexes stay as they are."
            )
            st.button("Remove", key="corpus_forget", on_click=forget_files)
    corpus = corpus_of(files)
    with title:
        section(f"{number(len(corpus.files), 'file')} read" if corpus else _chosen_count(files))
    if corpus is None:
        show_file_names(files)
        return COMMAND.format(Chunking())
    read, corpus = corpus, with_chosen_names(files, corpus)
    show_rejected(corpus)
    if not (corpus.documents or corpus.queries):
        show_account(corpus)
        st.info(
            "None of these files could be read. Add other files, or fix these and add them again."
        )
        return COMMAND.format(Chunking())
    with st.container(border=True, key="corpus_plan"):
        entry = addable()
        adds = entry is not None and is_adding()
        corpus = corpus if adds else with_faqs(corpus)
        whole = None if adds else keep_whole(corpus)
        choosing = corpus.documents and not adds and not whole
        chosen = choose_chunking() if choosing else whole or Chunking()
        chunking = chunking_of(entry) if entry and adds else chosen
        if chunking is None:
            return COMMAND.format(Chunking())
        passages = passages_of(files, corpus, chunking)
        show_cutting(corpus, passages, chunking)
        choose_references(corpus)
        joined = join_files(entry, files, corpus) if entry and adds else None
        gold = None
        with layout.mendable():
            gold = gold_preview(files, corpus, passages, chunking, joined, entry if adds else None)
        if gold:
            show_gold_told(gold)
        choose_gold_names(read, gold.usable if gold else {})
        if entry and joined:
            show_addition(entry, joined)
        if entry and adds:
            show_add_form(entry, files, corpus)
        else:
            show_build_form(entry, files, corpus, passages, chunking)
    if passages:
        show_numbers(corpus, passages)
        if len(passages) >= FEWEST_IN_A_HISTOGRAM:
            show_chart(length_histogram(passages))
    if gold:
        show_gold(gold, corpus.question_notes)
    show_account(corpus, passages)
    return COMMAND.format(chunking)


def _chosen_count(files: Sequence[ChosenFile]) -> str:
    return f"{number(len(files), 'file')} chosen"


target = addable() if is_adding() else None
layout.heading(
    "Corpus",
    f"Add files to the index '{target.name}'."
    if target
    else "Upload files, preview their passages and build an index.",
)
layout.only_editors()
sweep()
set_used_files_aside()
files = chosen_files()
with st.container(key="corpus_files" if files else "corpus_empty"):
    choose_files()
show_used_files()
if files:
    command = show_corpus(files)
elif target:
    st.button("Build a new index instead", on_click=set_adding, kwargs={"adding": False})
    command = COMMAND.format(chunking_of(target))
else:
    section("How an index is built")
    columns = st.columns(len(BECOMES), border=True)
    for column, (icon, name, told) in zip(columns, BECOMES, strict=True):
        with column:
            st.markdown(f":material/{icon}: **{name}**")
            st.caption(told)
    section("Supported formats")
    show_words(RECOGNISED)
    command = COMMAND.format(Chunking())
layout.show_equivalent_command(command)
