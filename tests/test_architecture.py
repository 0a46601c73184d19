"""What holds the code together: imports point one way, and core knows no screen."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
# From the top down; a module may import from its own layer and from those below.
LAYERS = (
    ("cli", "__main__", "library", "sample", "jobs"),
    ("build", "evaluate", "ceiling", "playback", "traces", "compare"),
    ("retrievers", "answers"),
    ("artefacts",),
    ("hop_graph", "drawing", "report"),
    ("prompts",),
    ("models",),
    ("store", "corpus", "text"),
    ("ranking",),
    ("types", "steps", "settings", "errors", "vectors", "progress"),
)
HEIGHT = {name: -level for level, names in enumerate(LAYERS) for name in names}


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    plain = (a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names)
    sources = (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module)
    named = (
        f"{n.module}.{a.name}" if n.module == "core" else n.module for n in sources for a in n.names
    )
    return {*plain, *named}


def test_core_knows_no_streamlit():
    code = (
        "import pkgutil, importlib, sys, core\n"
        "for m in pkgutil.walk_packages(core.__path__, 'core.'):\n"
        "    if not m.name.endswith('__main__'): importlib.import_module(m.name)\n"
        "sys.exit('streamlit' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_imports_point_one_way():
    wrong = []
    for path in sorted((ROOT / "core").rglob("*.py")):
        inside = path.relative_to(ROOT / "core").parts[0].removesuffix(".py")
        if inside == "__init__":
            continue
        for name in imported(path):
            parts = name.split(".")
            if parts[0] in {"pages", "app"}:
                wrong.append((str(path), name))
            if parts[0] == "core" and len(parts) > 1 and HEIGHT[parts[1]] > HEIGHT[inside]:
                wrong.append((str(path), name))
    assert wrong == []


def test_every_page_is_guarded_first():
    for path in sorted((ROOT / "pages").glob("*.py")):
        calls = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.Expr)]
        code = [ast.unparse(node) for node in calls if isinstance(node.value, ast.Call)]
        assert code[:1] == ["nav.guard()"], path.name
