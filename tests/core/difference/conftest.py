from tests.core.lost_gold.conftest import five  # noqa: F401 (a fixture here, too)
