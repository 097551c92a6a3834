"""What the explorer shows of a rule: its page, as plain values."""

from __future__ import annotations

from functools import cache
from typing import Any

from corro.rules.pages import blocks, pages


@cache
def _known() -> dict[str, dict[str, Any]]:
    return {
        page.name: {
            "name": page.name,
            "title": page.title,
            "sections": [
                {"heading": heading, "blocks": [{"code": is_code, "text": text} for is_code, text in blocks(body)]}
                for heading, body in page.sections.items()
            ],
        }
        for page in pages()
    }


def page_of(name: str) -> dict[str, Any] | None:
    """The page of a rule; ``None`` where there is none of that name."""
    return _known().get(name)
