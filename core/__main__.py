"""`python -m core`: the command line."""

from core.cli import app

if __name__ == "__main__":
    app(prog_name="python -m core")
