"""The example notebook runs as it is."""

import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from core.settings import ASSETS

NOTEBOOK = ASSETS / "notebook" / "first_steps.ipynb"


def test_the_notebook_runs_and_shows_its_walkthrough_and_map(tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "commit it without outputs"
    project = str(ASSETS.parent)
    environment = {**os.environ, "HOPRAG_HOME": str(tmp_path), "PYTHONPATH": project}
    client = NotebookClient(
        notebook, timeout=240, kernel_name="python3", resources={"metadata": {"path": project}}
    )
    client.execute(env=environment)
    shown = [
        output.data["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    ]
    assert sum("<iframe" in html for html in shown) == 2
    assert len(shown) >= 7
