"""What holds the code together; `lint-imports` checks the layers, which pyproject.toml declares."""

import ast
import re
import subprocess
import sys
from pathlib import Path

from core.retrievers.registry import classes

ROOT = Path(__file__).parent.parent


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    plain = (a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names)
    sources = (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module)
    named = (
        f"{n.module}.{a.name}" if n.module == "core" else n.module for n in sources for a in n.names
    )
    return {*plain, *named}


def test_core_knows_no_streamlit():
    paths = sorted((ROOT / "core").rglob("*.py"))
    wrong = [path for path in paths for n in imported(path) if n.split(".")[0] == "streamlit"]
    assert wrong == []


def test_importing_core_leaves_the_environment_alone():
    code = "import os; before = dict(os.environ); import core; assert dict(os.environ) == before"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_starting_the_server_reads_the_secrets_before_the_settings():
    """The first lines of `secrets.toml` are settings, which are read once for the whole process."""
    code = (
        "import core.settings as s, streamlit as st; read = s.read_settings; order = [];"
        "load = st.secrets.load_if_toml_exists;"
        "s.read_settings = lambda e: order.append('settings') or read(e);"
        "object.__setattr__(st.secrets, 'load_if_toml_exists', lambda: order.append('secrets'));"
        "import app; assert order == ['secrets', 'settings'], order"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_every_page_is_guarded_first():
    for path in sorted((ROOT / "pages").glob("*.py")):
        calls = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.Expr)]
        code = [ast.unparse(node) for node in calls if isinstance(node.value, ast.Call)]
        assert code[:1] == ["nav.guard()"], path.name


# Who shows any retriever and knows none: the wording and the drawing of what is in the steps.
ANY_RETRIEVER = (
    "core/playback",
    "core/traces",
    "core/lost_gold",
    "core/trace_analysis",
    "core/walkthroughs",
    "core/difference",
    "core/funnel",
    "core/drawing",
    "core/cli",
    "pages/components/trace",
    "pages/components/compare",
)
NAMED_THERE = (
    "core/traces/version2.py",  # whose files know one walk only
    "core/cli/commands/ask.py",  # an example in a help, and what is asked if nothing else is said
    "core/cli/commands/ceiling.py",
    "core/cli/commands/funnel.py",
    "pages/components/compare/form.py",
)


def code_words(path: Path) -> set[str]:
    """Names, and words of strings, of a file's code; docstrings and comments are none of it."""
    tree = ast.parse(path.read_text())
    bodies = (n for n in ast.walk(tree) if hasattr(n, "body") and isinstance(n.body, list))
    told = {
        id(n.value)
        for body in bodies
        for n in body.body
        if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)
    }
    nodes = list(ast.walk(tree))
    strings = (
        n.value
        for n in nodes
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in told
    )
    names = {n.id for n in nodes if isinstance(n, ast.Name)}
    names |= {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    names |= {n.name for n in nodes if isinstance(n, ast.alias)}
    return names | {word for text in strings for word in re.findall(r"[\w-]+", text)}


def test_what_shows_a_retrieval_has_no_case_for_a_retriever():
    names = {name for key, made in classes().items() for name in (key, made.__name__)}
    files = [path for folder in ANY_RETRIEVER for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(files) > len(ANY_RETRIEVER)
    found = {
        str(path.relative_to(ROOT)): sorted(code_words(path) & names)
        for path in files
        if str(path.relative_to(ROOT)) not in NAMED_THERE and code_words(path) & names
    }
    assert found == {}


# What changes an index, spends or takes files; pages do it through
# the modules of ACTING, which ask who may.
ACTS = {
    "jobs": {"start", "resume", "cancel", "run"},
    "catalogue": {"rename", "delete"},
    "stored_artefacts": {"drop"},
    "question_outcomes": {"ask_all"},
    "measuring": {"begin", "measure"},
    "settings_search": {"begin_search", "search"},
    "runs": {"add_column", "append", "begin", "delete", "end", "remove_column", "rename"},
    "pipelines": {"import_results"},
    "marks": {"set_gold", "restore_marks", "forget", "move_mark"},
}
ACTING = (
    "pages/components/shell/actions/",
    "pages/components/shell/resources.py",
    "pages/components/errors/review_actions.py",
)
LEAVES = {
    *("Leave", "fetch_embedder", "drop", "set_gold", "restore_marks", "forget", "import_results"),
    *("add_own_study", "delete_own_study"),
}
# Of reviews, what is not written.
READS = {"all", "of"}


def test_pages_act_where_it_is_asked_who_may():
    found = []
    for path in sorted((ROOT / "pages").rglob("*.py")):
        if str(path.relative_to(ROOT)).startswith(ACTING):
            continue
        for call in (n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)):
            function = call.func
            if isinstance(function, ast.Name) and function.id in LEAVES:
                found.append((str(path), function.id))
            if isinstance(function, ast.Attribute):
                where = ast.unparse(function.value)
                of_reviews = where.startswith(("Reviews(", "Codes(", "Views(", "bench.reviews"))
                if of_reviews and function.attr not in READS:
                    found.append((str(path), function.attr))
                if function.attr in ACTS.get(where, ()):
                    found.append((str(path), function.attr))
    assert found == []


# What lies below each public function of core, and the pages and commands that use it all the same.
# The list may only shrink: where one needs more of a public function, that gets a parameter.
COMPONENTS = "pages/components"
BELOW_PUBLIC = {
    "retrieve": {"core.traces.record": []},
    "import_results": {
        # The command says what matched, and a new run is deleted again where nothing does.
        "core.pipelines.import_results": ["core/cli/run_files.py"],
        "core.pipelines.begin_imported_run": ["core/cli/commands/runs_transfer.py"],
        # Shows which questions and passages match before anything is stored.
        "core.pipelines.read_results": [
            f"{COMPONENTS}/evaluate/result_import.py",
            "core/cli/run_files.py",
        ],
    },
    "losses": {"core.funnel.report.funnel": []},
    "open_index": {
        # Sessions share a loaded embedder, which may be on a server of their own.
        "core.models.embedder.load_embedder": [f"{COMPONENTS}/shell/resources.py"],
        "core.artefacts.opening.oracle_of": [f"{COMPONENTS}/shell/resources.py"],
        "core.artefacts.opening.open_workbench": [],
        "core.artefacts.workbench.Workbench()": [],
        # Reading passages and questions needs no embedder, which takes seconds to load.
        "core.store.index.Index.open": [f"{COMPONENTS}/shell/resources.py", "core/cli/common.py"],
    },
    # What takes long runs in a process of its own, whose journal the pages read.
    "build, evaluate and study": {
        "core.jobs.run": [],
        "core.jobs.start": [
            f"{COMPONENTS}/shell/actions/index_actions.py",
            f"{COMPONENTS}/shell/actions/run_actions.py",
            f"{COMPONENTS}/shell/actions/study_actions.py",
        ],
        # Shows what of an uploaded file matches passages before the build.
        "core.jobs.made_elsewhere.read_made": [f"{COMPONENTS}/building/uploaded_structures.py"],
        # The run is stored first, so that the page shows it while that process measures it.
        "core.runs.measuring.begin": [f"{COMPONENTS}/shell/actions/run_actions.py"],
        "core.runs.measuring.measure": [],
        # The budget of a command is settled, and its price told, before anything is measured.
        "core.runs.measuring.evaluate": ["core/cli/measuring.py"],
        "core.shipping.sample.build_job": ["pages/start.py"],
        # Reads what a study has found without running it; the command also shows a part of it.
        "core.studies.results_of": [
            f"{COMPONENTS}/studies/study_results.py",
            "core/cli/commands/study.py",
        ],
    },
    # Components play and draw the data, which a public function returns as a finished page.
    "walkthrough": {
        # The steps of an imported trace are not those of a retriever that could be asked again.
        "core.walkthroughs.making.make_walkthrough": [f"{COMPONENTS}/errors/review/walkthrough.py"],
        # The trace is played once for the walkthrough and the chart below it.
        "core.walkthroughs.making.walkthrough_of": [f"{COMPONENTS}/trace/trace_view.py"],
        "core.walkthroughs.story.story": [],
    },
    "corpus_map": {
        "core.maps.stored.map_of": [],
        "core.maps.map_data.map_data": [],
        "core.maps.export.to_html": [],
    },
}


def test_pages_use_public_functions():
    used = {
        str(path.relative_to(ROOT)): names_used(path)
        for folder in ("pages", "core/cli")
        for path in sorted((ROOT / folder).rglob("*.py"))
    }
    found = {
        public: {name: [file for file in used if name in used[file]] for name in names}
        for public, names in BELOW_PUBLIC.items()
    }
    assert found == BELOW_PUBLIC


def names_used(path: Path) -> set[str]:
    """What a file imports by `from`, and what it calls of that."""
    tree = ast.parse(path.read_text())
    of: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            of |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    made = {f"{of[one.id]}()" for one in called if isinstance(one, ast.Name) and one.id in of}
    parts = (one for one in called if isinstance(one, ast.Attribute))
    return {*of.values(), *made} | {
        f"{of[one.value.id]}.{one.attr}"
        for one in parts
        if isinstance(one.value, ast.Name) and one.value.id in of
    }
