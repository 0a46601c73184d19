"""How many small faults in `core` its tests find: mutation testing on a sample.

    pip install cosmic-ray
    python tests/benchmarks/mutants.py RESULTS.jsonl [--count 200] [--seed 1] [--minutes 60]
    python tests/benchmarks/mutants.py RESULTS.jsonl --survivors

samples lines of `core` and changes one operator, number, or keyword on each. A mutant is tested in
a copy of the project, with the tests of its folder and the tests up to two imports away, nearest
first, until one fails. Tests of pages and of the browser are left out. Results are appended to
RESULTS.jsonl; a second call continues. At the end each test that killed a mutant runs on the
unchanged code: a test that fails there kills nothing. A timeout counts as killed, so leave the
machine idle. `--survivors` tests survivors again, and those whose tests took too long.
"""

import argparse
import ast
import contextlib
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from itertools import count, islice
from pathlib import Path

import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from scipy.stats import binomtest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.printing import grid, show

_SLOW_IMPORTS = ("pandas", "sentence_transformers", "sklearn", "openai")
_SKIPPED = ("core/shipping/", "core/__main__.py")
_TEST_SECONDS = 120
_MUTANT_SECONDS = 200
_IMPORTS_AWAY = 2
_FAR = 99
_NOT_RUN = 99
_FOUND = {"killed", "timeout"}
_MAY_CHANGE = re.compile(
    r"[-+*/%<>=~|&^@\d]|\b(and|or|not|is|if|for|while|True|False|break|continue|except)\b"
)
_WITHOUT_EFFECT = re.compile(
    r"_(Eq|NotEq|Lt|LtE|Gt|GtE)_(Is|IsNot)$|_(Is|IsNot)_(Eq|NotEq|Lt|LtE|Gt|GtE)$"
    "|RemoveDecorator|VariableReplacer|VariableInserter"
)
_NO_OPERATORS = {"name", "string", "newline", "endmarker", "fstring_string"}
_FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/[^\s\[]+)", re.MULTILINE)
_numbers = count(1)


@dataclass(frozen=True)
class Mutant:
    """A change of one place in a file. `occurrence` counts the operator's places in the file."""

    path: str
    line: int
    operator: str
    occurrence: int
    before: str = ""
    after: str = ""
    outcome: str = ""
    killer: str = ""
    seconds: float = 0.0


def operators() -> list[str]:
    """Return the operators that change behaviour, not only speed, identity, or the import."""
    return [name for name in operator_names() if not _WITHOUT_EFFECT.search(name)]


def without_behaviour(tree: ast.Module) -> set[int]:
    """Return the lines of annotations, type aliases, decorators, and assertions."""
    nodes: list[ast.AST | None] = []
    for node in ast.walk(tree):
        match node:
            case ast.arg(annotation=found) | ast.AnnAssign(annotation=found):
                nodes.append(found)
            case ast.FunctionDef(returns=found, decorator_list=decorators):
                nodes += [found, *decorators]
            case ast.ClassDef(decorator_list=decorators):
                nodes += decorators
            case ast.If(test=ast.Name("TYPE_CHECKING")) | ast.Assert():
                nodes.append(node)
    for node in tree.body:
        if isinstance(node, ast.Assign) and re.match("_?[A-Z][a-z]", ast.unparse(node.targets[0])):
            nodes.append(node)
    spans = (
        (each.lineno, each.end_lineno) for each in nodes if isinstance(each, (ast.expr, ast.stmt))
    )
    return {line for first, last in spans for line in range(first, (last or first) + 1)}


def mutants_by_line(path: str, named: dict[str, object]) -> dict[int, list[list[Mutant]]]:
    """Return the mutants of a file: by line, one list for each place on it."""
    source = (ROOT / path).read_text("utf-8")
    skipped = without_behaviour(ast.parse(source))
    seen: Counter[str] = Counter()
    places: dict[tuple[int, int], list[Mutant]] = defaultdict(list)
    for node in ast_nodes(get_ast(source)):
        if node.type in _NO_OPERATORS:
            continue
        for name, operator in named.items():
            for (line, column), _ in operator.mutation_positions(node):  # type: ignore[attr-defined]
                if line not in skipped:
                    places[line, column].append(Mutant(path, line, name, seen[name]))
                seen[name] += 1
    by_line: dict[int, list[list[Mutant]]] = defaultdict(list)
    for (line, _), mutants in places.items():
        by_line[line].append(mutants)
    return by_line


def sample(seed: int) -> Iterator[Mutant]:
    """Yield mutants without end: a random line that can be changed, then one of its changes."""
    named = {name: get_operator(name)() for name in operators()}
    lines = [
        (str(path.relative_to(ROOT)), number)
        for path in sorted((ROOT / "core").rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if _MAY_CHANGE.search(line)
    ]
    rng, files = random.Random(seed), {}
    rng.shuffle(lines)
    for path, line in lines:
        if path.startswith(_SKIPPED):
            continue
        if path not in files:
            files[path] = mutants_by_line(path, named)
        if places := files[path].get(line):
            yield rng.choice(rng.choice(places))


def imports(root: Path) -> dict[str, set[str]]:
    """Return by module of `core` and `tests/core` the modules that import it."""
    files = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for folder in ("core", "tests/core")
        for path in (root / folder).rglob("*.py")
    }
    importers: dict[str, set[str]] = defaultdict(set)
    for module, path in files.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{each.name}" for each in node.names]
            for name in names:
                found = name if name in files else name.rpartition(".")[0]
                importers[found].add(module)
    return importers


def tests_of(path: str, root: Path, importers: dict[str, set[str]]) -> list[list[str]]:
    """Return the test files of a module: those named after it or that import it, then the rest.

    A package that re-exports adds no import.
    """
    parts = Path(path).with_suffix("").parts
    away = {".".join(parts).removesuffix(".__init__"): 0}
    queue = deque(away)
    while queue:
        current = queue.popleft()
        for importer in importers[current]:
            package = (root / importer.replace(".", "/") / "__init__.py").exists()
            distance = away[current] + (not package)
            if distance < away.get(importer, _FAR):
                away[importer] = distance
                (queue.appendleft if package else queue.append)(importer)
    found = []
    for test in sorted((root / "tests/core").rglob("test_*.py")):
        name = test.relative_to(root).with_suffix("")
        alike = len({part.removeprefix("test_") for part in name.parts[2:]} & set(parts[1:]))
        distance = away.get(".".join(name.parts), _FAR)
        if alike or distance <= _IMPORTS_AWAY:
            found.append((-alike if alike > 1 else distance, distance, f"{name}.py"))
    near = [name for rank, _, name in sorted(found) if rank <= 1]
    return [near, [name for rank, _, name in sorted(found) if rank > 1]]


def run_tests(
    root: Path, tests: list[str], seconds: float, *options: str
) -> tuple[int | None, str]:
    """Run tests in a fork of this process; return pytest's exit code and what it printed.

    The exit code is None if the tests took too long.
    """
    output = root.parent / "output"
    if (child := os.fork()) == 0:
        os.setsid()
        os.chdir(root)
        with output.open("w") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        quiet = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
        fixed = ("-rfE", "--tb=line", "-p", "no:cacheprovider", "--hypothesis-seed=0", *quiet)
        code = _NOT_RUN
        try:
            sys.path.remove(str(ROOT))
            for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
                del sys.modules[name]
            code = int(pytest.main([*fixed, *options, f"--timeout={_TEST_SECONDS}", *tests]))
            sys.stdout.flush()
        finally:
            os._exit(code)
    ends = time.monotonic() + seconds
    done = status = 0
    while not done and time.monotonic() < ends:
        time.sleep(0.1)
        done, status = os.waitpid(child, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not done:
        os.waitpid(child, 0)
        return None, ""
    code, said = os.waitstatus_to_exitcode(status), output.read_text("utf-8", "replace")
    if code == _NOT_RUN:
        raise RuntimeError(f"pytest could not run: {said}")
    return code, said


def try_mutant(mutant: Mutant, root: Path, importers: dict[str, set[str]]) -> Mutant:
    """Return the mutant with its outcome."""
    target = root / mutant.path
    source, time_before = target.read_text("utf-8"), target.stat().st_mtime_ns
    changed = mutate_code(source, get_operator(mutant.operator)(), mutant.occurrence)
    pairs = zip(source.splitlines(), changed.splitlines(), strict=False)
    before, after = next(pair for pair in pairs if pair[0] != pair[1])
    target.write_text(changed, "utf-8")
    # A change often keeps the size. Bytecode is then only replaced if the time differs.
    os.utime(target, (next(_numbers),) * 2)
    began, code, said = time.monotonic(), 0, ""
    for tests in filter(None, tests_of(mutant.path, root, importers)):
        if code == 0:
            code, said = run_tests(root, tests, _MUTANT_SECONDS, "-x")
    target.write_text(source, "utf-8")
    os.utime(target, ns=(time_before,) * 2)
    failed = _FAILED.search(said)
    return replace(
        mutant,
        before=before.strip(),
        after=after.strip(),
        outcome=outcome(code, said),
        killer=failed[1] if failed else "",
        seconds=round(time.monotonic() - began, 1),
    )


def outcome(code: int | None, said: str) -> str:
    """Name the outcome of a run of tests."""
    if code is None:
        return "unfinished"
    if code == 0:
        return "survived"
    return "timeout" if "+++ Timeout +++" in said else "killed"


def copy_project(folder: Path) -> Path:
    """Copy the tracked files of the project below `folder`."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        target = folder / "copy" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    return folder / "copy"


def confirmed(mutants: list[Mutant], root: Path) -> list[Mutant]:
    """Mark kills as invalid whose test also fails on the unchanged code."""
    killers = sorted({each.killer for each in mutants if "::" in each.killer})
    failing = set(_FAILED.findall(run_tests(root, killers, math.inf)[1])) if killers else set()
    return [
        replace(each, outcome="invalid") if each.killer in failing else each for each in mutants
    ]


def report(mutants: list[Mutant]) -> None:
    """Print outcomes by folder, and the survivors."""
    valid = [each for each in mutants if each.outcome != "invalid"]
    found = sum(each.outcome in _FOUND for each in valid)
    outcomes = ("killed", "timeout", "survived", "unfinished", "invalid")
    by_folder: dict[str, Counter[str]] = defaultdict(Counter)
    for each in mutants:
        by_folder[each.path.split("/")[1]][each.outcome] += 1
    rows = [
        (name, *(str(counted[each]) for each in outcomes))
        for name, counted in sorted(by_folder.items())
    ]
    missed = [each for each in valid if each.outcome not in _FOUND]
    alive = [(f"{each.path}:{each.line}", each.before, each.after) for each in missed]
    seconds = sum(each.seconds for each in mutants) / len(mutants)
    low, high = binomtest(found, len(valid)).proportion_ci(method="wilson")
    share = f"{found / len(valid):.1%} killed (95% interval {low:.1%} to {high:.1%})"
    about = f"{len(valid)} mutants, {share}, {seconds:.0f} s per mutant"
    tables = [grid("By folder", ("folder", *outcomes), rows)]
    tables.append(grid("Survivors", ("place", "before", "after"), alive))
    show(about, tables, markdown=False)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("results", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--survivors", action="store_true")
    chosen = parser.parse_args()
    ends = time.monotonic() + 60 * chosen.minutes
    lines = chosen.results.read_text("utf-8").splitlines() if chosen.results.exists() else []
    done = [Mutant(**json.loads(line)) for line in lines]
    if chosen.survivors:
        waiting = iter([each for each in done if each.outcome not in _FOUND])
        done, chosen.results = [], chosen.results.with_suffix(".again.jsonl")
    else:
        waiting = islice(sample(chosen.seed), len(done), chosen.count)
    for name in _SLOW_IMPORTS:
        import_module(name)
    with tempfile.TemporaryDirectory() as folder, chosen.results.open("a") as file:
        root = copy_project(Path(folder))
        importers = imports(root)
        for mutant in waiting:
            if time.monotonic() > ends:
                break
            done.append(try_mutant(mutant, root, importers))
            print(f"{len(done)} {done[-1]}", flush=True)
            file.write(json.dumps(asdict(done[-1])) + "\n")
            file.flush()
        report(confirmed(done, root))


if __name__ == "__main__":
    main()
