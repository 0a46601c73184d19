"""The pictures in the README: a walkthrough of the sample, saved as GIF by the app, and two pages.

    python tests/benchmarks/screen/readme_picture.py

Starts the app with a home of its own and writes `assets/screenshots`.
"""

import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image, ImageSequence
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from core.shipping import sample
from tests.browser.serving import CHROMIUM, FLAGS, idle, serve

FOLDER = ROOT / "assets" / "screenshots"
TARGET = FOLDER / "walkthrough.gif"
LARGEST = 1_500_000  # bytes
PACE = (3_000, 6_000)  # milliseconds of a stop, and of the last one
QUESTION = (
    "What was the sport of the scientist who developed the spectrometer aboard the asteroid probe "
    "Turnstone?"
)
ADDRESS = {"index": sample.NAME, "q": QUESTION, "retriever": "hoprag-similarity"}
WINDOW = {"width": 1200, "height": 760}
PAGES = {
    "trace": {**ADDRESS, "stop": "4"},
    "compare": {"index": sample.NAME, "q": QUESTION, "with": "hoprag-coverage,bm25"},
}
LAPTOP = {"width": 1440, "height": 900}


def write(saved: Path) -> None:
    """Write the picture at a pace for a glance; the app's own pace is for reading every word."""
    with Image.open(saved) as picture:
        first, *others = [frame.copy() for frame in ImageSequence.Iterator(picture)]
    pace = [PACE[0]] * len(others) + [PACE[1]]
    first.save(TARGET, save_all=True, append_images=others, duration=pace, loop=0)


def main() -> None:
    """Save the pictures, and say how large the moving one is."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        home = Path(folder)
        assert sample.install(home / "indexes", "")
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with serve(home, home / "network.log") as server:
            page = browser.new_page(viewport=WINDOW)
            page.goto(f"{server.url}/trace?{urlencode(ADDRESS)}")
            idle(page)
            with page.expect_download(timeout=180_000) as saved:
                page.get_by_role("button", name="Save as GIF").click()
            write(Path(saved.value.path()))
            page.set_viewport_size(LAPTOP)
            for name, address in PAGES.items():
                page.goto(f"{server.url}/{name}?{urlencode(address)}")
                idle(page, quiet_ms=2_000)
                page.screenshot(path=FOLDER / f"{name}.png")
        browser.close()
    size = TARGET.stat().st_size
    assert size <= LARGEST, f"{size:,} bytes are more than {LARGEST:,}"
    print(f"{TARGET.relative_to(ROOT)}: {size:,} bytes")


if __name__ == "__main__":
    main()
