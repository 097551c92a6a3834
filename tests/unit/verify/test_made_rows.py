"""Which rows of a batch that the script makes itself the processes have."""

import pytest

from corro.verify.properties._made import Shared, _compared


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([[1, 2, 9], [3, 4, 9]], Shared.EXACTLY),  # one point that all have, beside others
        ([[1, 2], [3, 4, 9]], Shared.EXACTLY),
        ([[1, 2, 3, 4, 9], [1, 2, 3, 4, 9]], Shared.UNSEEN),  # all have all
        ([[1, 2, 9], [3, 5, 9]], Shared.UNSEEN),
        ([[5, 6, 9], [7, 8, 9]], Shared.OTHERWISE),
    ],
)
def test_a_row_that_all_processes_have_is_none_that_fills_up(parts: list[list[int]], expected: Shared) -> None:
    assert _compared([1, 2, 3, 4, 9], parts) is expected
