"""Corpus: files in, passages as they will be, and the build."""

import streamlit as st

from core.corpus.chunking import Chunking
from pages.components.building.form import show_build_form
from pages.components.corpus.given import choose_files, forget_files, given_files
from pages.components.corpus.preview import (
    choose_chunking,
    length_histogram,
    show_account,
    show_chunks,
    show_numbers,
)
from pages.components.corpus.reading import corpus_of, passages_of
from pages.components.shell import frame, nav
from pages.components.shell.figures import section, show_words
from pages.components.shell.words import count

nav.guard()

RECOGNISED = (
    ("Documents", ".txt .md .html .pdf .docx, and zip files of any of these"),
    ("Records", ".csv .tsv .json .jsonl .jsonl.gz .parquet with title and text; ids are kept"),
    ("Question sets with gold", "HotpotQA, 2WikiMultiHopQA, MuSiQue, MultiHop-RAG"),
    ("Corpora", "BEIR (corpus, queries and qrels together), HippoRAG, MultiHop-RAG’s articles"),
    ("Your own questions", "JSONL or CSV with question, answers and the ids of gold passages"),
)


frame.heading("Corpus", "Files in, passages as they will be, and from there to an index.")
choose_files()
given = given_files()
COMMAND = "python -m core build FILE... --index DIR --chunk {} --embedder NAME --maker rules"
if not given:
    show_words(RECOGNISED, "What is recognised")
    frame.same_from_shell(COMMAND.format("as-is"))
    st.stop()

corpus = corpus_of(given)
with st.container(horizontal=True, vertical_alignment="center"):
    with st.container(width="stretch"):
        section(f"{count(len(corpus.files), 'file')} read")
    st.button("Remove all", key="corpus_forget", on_click=forget_files)
show_account(corpus)

chunking = Chunking()
if corpus.documents:
    section("Passages")
    chunking = choose_chunking()
    passages = passages_of(given, corpus, chunking)
    numbers, plot = st.columns([2, 3], gap="large", vertical_alignment="center")
    with numbers:
        show_numbers(corpus, passages)
    if passages:
        with plot:
            st.altair_chart(length_histogram(passages))
        show_chunks(passages)

section("Index")
show_build_form(given, corpus, chunking)
frame.same_from_shell(COMMAND.format(chunking))
