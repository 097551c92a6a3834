"""Which rows of a batch that the script makes itself the processes have."""

import pytest

from corro.verify.properties._made import Shared, _compared


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([[1, 2, 8, 9], [3, 4, 8, 9]], Shared.EXACTLY),  # some that all have, beside others
        ([[1, 2, 8], [3, 4, 9]], Shared.EXACTLY),
        ([[1, 2, 8, 9], [3, 4, 8]], Shared.FILLED),
        ([[1, 2, 3, 4, 8, 9], [1, 2, 3, 4, 8, 9]], Shared.UNSEEN),  # all have all
        ([[1, 2, 8, 9], [3, 5, 8, 9]], Shared.UNSEEN),
        ([[5, 6, 8], [7, 10, 9]], Shared.OTHERWISE),
    ],
)
def test_rows_that_all_processes_have_are_no_others(parts: list[list[int]], expected: Shared) -> None:
    assert _compared([1, 2, 3, 4, 8, 9], parts) is expected
