"""An evaluation set as a collection: loaded once, and again only when what decides its content changes."""

import re

from leadline.documents.identity import content_hash, document_id
from leadline.evaluation.cases import CorpusPassage, QuestionSet
from leadline.evaluation.fingerprint import code_of, fingerprint
from leadline.evaluation.setup import OnProgress, Progress, Setup
from leadline.evaluation.whole import as_whole_document
from leadline.ingest import add
from leadline.run import Budget, Run
from leadline.types import Collection, Document

INDEXING = ("analysis", "documents", "embeddings", "store", "ingest")
"""The rooms whose code decides what is in a collection."""
BATCH = 512


async def indexed(questions: QuestionSet, setup: Setup, *, fresh: bool, progress: OnProgress) -> str:
    """The name of the collection that holds this set, loaded first if it is not there whole."""
    title = questions.corpus or questions.name
    corpus = f"{_plain(title)}-{fingerprint(questions.digest, setup.embedding)}-"
    name = corpus + fingerprint(code_of(INDEXING))
    passages = questions.searched
    whole = f"evaluation set {title}, {len(passages)} {'documents' if questions.whole else 'passages'}"
    there = {collection.name: collection for collection in await setup.store.collections()}
    if not fresh and name in there and there[name].description == whole:
        return name
    for outdated in [other for other in there if other.startswith(corpus)]:
        await setup.store.drop(outdated)
    dimension = setup.embedder.dimension if setup.embedder else 0
    await setup.store.create(Collection(name, embedding=setup.embedding, dimension=dimension))
    as_stored = as_whole_document if questions.whole else as_document
    for start in range(0, len(passages), BATCH):
        documents = [as_stored(passage) for passage in passages[start : start + BATCH]]
        await add(documents, name, setup.store, setup.embedder, Run(Budget(searches=None)))
        progress(Progress(title, "load", start + len(documents), len(passages)))
    await setup.store.optimise(name)
    # Said last, and looked for first: a load that was killed on the way has no such description.
    await setup.store.describe(name, whole)
    return name


def as_document(passage: CorpusPassage) -> Document:
    """A passage as a document of its own, whose source is the passage's id."""
    return Document(
        id=document_id(passage.id),
        source=passage.id,
        text=passage.text,
        title=passage.title,
        content_hash=content_hash(passage.text.encode("utf-8", "surrogatepass")),
    )


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() or "set"
