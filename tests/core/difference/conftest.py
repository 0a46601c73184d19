from tests.core.film.conftest import five  # noqa: F401 (a fixture here, too)
