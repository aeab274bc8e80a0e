"""The bundled embedding: real vectors without a download, and an honest word on its strength."""

import tracemalloc

import numpy as np
import pytest

from leadline.embeddings.base import Strength
from leadline.embeddings.static import DIMENSION, StaticEmbedder, build
from leadline.registry import find


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return build()


def test_each_text_gives_one_unit_vector(embedder: StaticEmbedder) -> None:
    vectors = embedder.embed_documents(["The ferry crossed the bay.", "灯塔", "x" * 10_000])
    assert (vectors.shape, vectors.dtype) == ((3, DIMENSION), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1.0, 1.0, 1.0], abs=1e-5)


def test_a_text_with_no_words_is_all_zeros_and_no_text_is_no_rows(embedder: StaticEmbedder) -> None:
    assert not embedder.embed_queries([""]).any()
    assert embedder.embed_documents([]).shape == (0, DIMENSION)


def test_related_words_are_nearer_than_others_and_both_sides_agree(embedder: StaticEmbedder) -> None:
    harbour, harbor, violin = embedder.embed_queries(["harbour", "harbor", "violin"])
    assert harbour @ harbor > harbour @ violin + 0.2
    assert np.array_equal(embedder.embed_documents(["harbour"])[0], harbour)


def test_a_vector_does_not_depend_on_its_neighbours(embedder: StaticEmbedder) -> None:
    texts = [f"ferry number {number} left at noon " + "bay " * (number % 7) for number in range(40)]
    together = embedder.embed_documents(texts)
    assert together[33] == pytest.approx(embedder.embed_documents([texts[33]])[0], abs=1e-5)


def test_it_declares_a_small_weight_for_latin_and_none_for_other_scripts(embedder: StaticEmbedder) -> None:
    weights = {name: embedder.strength.weight(name) for name in ("latin", "han", "arabic", "other")}
    assert weights == {"latin": 0.15, "han": 0.0, "arabic": 0.0, "other": 0.0}


def test_long_texts_take_little_memory_together(embedder: StaticEmbedder) -> None:
    texts = ["灯塔" * 500] * 200
    embedder.embed_documents(texts[:1])
    tracemalloc.start()
    embedder.embed_documents(texts)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200 << 20


def test_its_name_tells_model_dimension_and_version(embedder: StaticEmbedder) -> None:
    assert embedder.name.startswith("wordllama-256-")
    assert embedder.dimension == embedder.embed_queries(["a word"]).shape[1]


def test_strength_falls_back_to_its_default() -> None:
    assert Strength({"latin": 0.4}, default=0.2).weight("greek") == 0.2


def test_the_registry_builds_it_by_name() -> None:
    assert isinstance(find("embedding", "static")(), StaticEmbedder)
