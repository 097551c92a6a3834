"""What a new user sees is what was read by eye; ``python -m newcomer.screens --write`` writes it again."""

from __future__ import annotations

import pytest

from newcomer.scenes import SCENES, Scene
from newcomer.screens import SCREENS, evened_out, new_home, played


@pytest.mark.parametrize(
    "scene", [pytest.param(each, id=each.name, marks=[pytest.mark.slow] * each.trains) for each in SCENES]
)
def test_a_screen(scene: Scene) -> None:
    with new_home() as home:
        assert played(scene, home) == (SCREENS / f"{scene.name}.txt").read_text(encoding="utf-8")


def test_each_screen_has_a_scene() -> None:
    assert {path.stem for path in SCREENS.iterdir()} == {scene.name for scene in SCENES}


def test_only_what_varies_is_evened_out() -> None:
    text = "epoch 3 of 12  loss 0.1234, 97.5 % right, 1.2e-07 on 2 processes"
    assert evened_out(text, trains=True) == "epoch 3 of 12  loss #.####, #.# % right, #.# on 2 processes"
    assert evened_out(text, trains=False) == text
