"""Retrievers in Python: a file that the operator named, or an entry point of a package."""

import asyncio
import importlib
import inspect
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from importlib.metadata import EntryPoint
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from core.errors import RetrieverFailed
from core.retrievers.custom.description import (
    LARGEST,
    Answer,
    Description,
    broken,
    one_line,
    slug,
)
from core.retrievers.custom.fields import Field, field_of
from core.retrievers.custom.frameworks import call_of, limit_of
from core.retrievers.custom.results import BadResults, items_of
from core.retrievers.custom.worker import TimeLimitReached, Worker

FUNCTION, OBJECT = "retrieve", "retriever"
"""The name of the function in a file, or of the retriever object of a library."""
_AGAIN = 10.0
"""Seconds after which a file that could not be loaded is tried again: it may lack a package."""


class PythonFile:
    """A retriever in a file, loaded again when the file has changed or could not be loaded.

    Parameters
    ----------
    title : the display name, if the file sets none.
    seconds : the time limit for loading the file, and for each call.
    """

    def __init__(self, path: Path, title: str, seconds: float) -> None:
        self._path, self._title, self._seconds = path, title, seconds
        self._worker = Worker()
        self._stamp: tuple[int, int] | None = None
        self._tried = 0.0
        self._described: Description | None = None

    def described(self) -> Description:
        """Return the description of the retriever, loaded again if the file has changed."""
        stamp, now = self._stamp_now(), time.monotonic()
        known = self._described
        failed = known is not None and known.problem and now > self._tried + _AGAIN
        if known is None or stamp != self._stamp or failed:
            self._stamp, self._tried = stamp, now
            description = self._load()
            if description.problem and known:  # addresses with its settings stay valid
                description = broken(description.where, known.title, description.problem, known)
            self._described = known = description
        return known

    def _stamp_now(self) -> tuple[int, int] | None:
        """Return the modification time in ns and the size of the file; None if it is missing."""
        try:
            status = self._path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def _load(self) -> Description:
        """Load the file in a worker process, and describe its retriever or the problem."""
        where, title = self._path.name, self._title or self._path.stem.replace("_", " ")
        calls = _Calls(where, str(self._path), self._worker, self._seconds)
        try:
            code = self._path.read_bytes()
            module = calls.do(lambda: _module(self._path, code))
            return _description(calls, vars(module), title, code)
        except OSError as error:
            problem = f"{where} cannot be read: {error.strerror}. Correct HOPRAG_RETRIEVERS."
        except RetrieverFailed as error:
            problem = str(error)
        return broken(where, title, problem)


def describe_entry_point(entry: EntryPoint, seconds: float) -> Description:
    """Load and describe the retriever of an installed package: a module, function or object."""
    calls = _Calls(f"{entry.name} ({entry.value})", "", Worker(), seconds)
    try:
        target = calls.do(entry.load)
        module = inspect.getmodule(target)
        file = getattr(module, "__file__", None)
        names = dict(vars(module)) if module else {}
        if not isinstance(target, ModuleType):
            names.pop(FUNCTION, None)
            names[FUNCTION if inspect.isroutine(target) else OBJECT] = target
        code = Path(file).read_bytes() if file else entry.value.encode()
        return _description(calls, names, entry.name, code)
    except (RetrieverFailed, OSError) as error:
        return broken(calls.where, entry.name, str(error))


def _module(path: Path, code: bytes) -> ModuleType:
    """Execute the code as a module, with its folder on the import path."""
    module = ModuleType(f"hoprag_{slug(path.stem).replace('-', '_')}")
    module.__file__ = str(path)
    importlib.invalidate_caches()  # of packages that were installed since
    sys.modules[module.__name__] = module  # where dataclasses and pickle look for it
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    exec(compile(code, str(path), "exec"), vars(module))  # noqa: S102 - the operator named it
    return module


class _Calls:
    """Calls the code at `path`, and explains its failures in a sentence."""

    def __init__(self, where: str, path: str, worker: Worker, seconds: float) -> None:
        self.where, self._path, self._worker, self._seconds = where, path, worker, seconds

    def do(self, call: Callable[[], Any]) -> Any:
        """Run `call` in the worker; raise RetrieverFailed, with the reason, if it fails."""
        try:
            result, error = self._worker.do(call, self._seconds)
        except TimeLimitReached:
            raise RetrieverFailed(
                f"{self.where} did not return within {self._seconds:g} s. Make it faster, or set "
                "HOPRAG_RETRIEVER_SECONDS."
            ) from None
        if error is None:
            return result
        if isinstance(error, BadResults):
            raise self.refuse(str(error)) from error
        raise RetrieverFailed(self._error_message(error)) from error

    def refuse(self, problem: str) -> RetrieverFailed:
        return RetrieverFailed(f"{self.where}: {problem}.")

    def _error_message(self, error: BaseException) -> str:
        """Describe an exception of the user's code, with its line in the file and what to do."""
        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == self._path
        ]
        if isinstance(error, SyntaxError) and error.filename == self._path:
            lines = [error.lineno]
        at = f", line {lines[-1]}" if lines else ""
        message = one_line(error.msg if isinstance(error, SyntaxError) else error)
        name = type(error).__name__
        missing = isinstance(error, ModuleNotFoundError)
        mend = "Install it in the environment of this app" if missing else "Correct it"
        return f"{self.where}{at}: {name}{f': {message}' if message else ''}. {mend} and try again."


def _description(calls: _Calls, names: Mapping[str, Any], title: str, code: bytes) -> Description:
    """Describe the function or retriever object among `names`; refuse a file without either."""
    function = names.get(FUNCTION)
    try:
        if callable(function):
            settings, takes, top_k = _settings(function)
            docstring = inspect.getdoc(function)
        elif OBJECT in names:
            by_object = call_of(names[OBJECT])
            settings, takes, docstring = {}, True, names.get("__doc__")
            top_k = limit_of(names[OBJECT])

            def function(question: str, top_k: int) -> Any:
                return by_object(question, top_k)
        else:
            raise ValueError(f"it has no function {FUNCTION} and no variable {OBJECT}")
    except ValueError as error:
        raise calls.refuse(str(error)) from error

    def ask(question: str, top_k: int, given: Mapping[str, Any]) -> Answer:
        more = {"top_k": top_k} if takes else {}
        items = calls.do(lambda: _call_to_end(function, question, {**more, **given}))
        return Answer(items)

    summary = _text(names, "SUMMARY") or one_line((docstring or "").partition("\n\n")[0])
    return Description(
        calls.where,
        _text(names, "NAME") or title,
        ask,
        badge=_text(names, "BADGE"),
        summary=summary,
        settings=settings,
        top_k=top_k,
        version=blake2b(code, digest_size=8).hexdigest(),
    )


def _text(names: Mapping[str, Any], name: str) -> str:
    value = names.get(name, "")
    return one_line(value) if isinstance(value, str) else ""


def _settings(function: Callable[..., Any]) -> tuple[dict[str, Field], bool, int]:
    """Return a function's settings, whether it takes `top_k`, and the default of that, or 0.

    Raises
    ------
    ValueError : its parameters cannot be read, or there is none for the question.
    """
    try:
        parameters = inspect.signature(function, eval_str=True).parameters.values()
    except Exception as error:  # an annotation in quotes may raise any
        why = f"the annotations of {FUNCTION} cannot be read ({one_line(error)})"
        raise ValueError(why) from error
    named = [one for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    if not named or named[0].kind is named[0].KEYWORD_ONLY:
        raise ValueError(f"{FUNCTION} has no parameter for the question")
    fields = {each.name: _field(each) for each in named[1:] if each.name != "top_k"}
    limits = [each.default for each in named if each.name == "top_k"]
    return fields, bool(limits), next((one for one in limits if type(one) is int), 0)


def _field(parameter: inspect.Parameter) -> Field:
    """Return the setting that a parameter of a custom retriever declares."""
    if parameter.default is parameter.empty:
        raise ValueError(f"the parameter {parameter.name} of {FUNCTION} has no default")
    bare = parameter.annotation is parameter.empty
    hint = type(parameter.default) if bare else parameter.annotation
    return field_of(parameter.name, hint, parameter.default)


def _call_to_end(
    function: Callable[..., Any], question: str, more: Mapping[str, Any]
) -> list[object]:
    """Call a custom retriever and return all its items; coroutines and iterators are run to the
    end.
    """
    returned = function(question, **more)
    if inspect.iscoroutine(returned):
        returned = asyncio.run(returned)
    return _all_items(returned) if isinstance(returned, Iterator) else items_of(returned)


def _all_items(found: Any) -> list[object]:
    """Collect what a generator yields, followed by its return value."""
    returned: list[object] = []

    def through() -> Iterator[object]:
        last = yield from found
        returned.extend([] if last is None else items_of(last))

    items = list(islice(through(), LARGEST))
    return [*items, *returned]
