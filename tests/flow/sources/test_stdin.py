"""Rows from standard input."""

import sys

import pytest

from leadline.errors import FlowError
from leadline.flow.sources.stdin import Stdin
from tests.flow.ends import read


def test_an_input_that_is_closed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FlowError, match="standard input is closed"):
        read(Stdin())
