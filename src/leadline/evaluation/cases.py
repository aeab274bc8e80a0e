"""Read an evaluation set: passages to search, and questions whose supporting passages are known.

A set is a folder with `corpus.jsonl`, one `{"id", "title", "text"}` per line, and `questions.jsonl`, one
`{"id", "question", "answer", "aliases", "supporting_ids", "type"}` per line; other keys are ignored.
With a `docs.jsonl` of the same shape it can be measured over whole documents: then each passage says in
`doc_id` which of them holds its text.
"""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from leadline.errors import UsageError

CORPUS = "corpus.jsonl"
QUESTIONS = "questions.jsonl"
DOCUMENTS = "docs.jsonl"


@dataclass(frozen=True, slots=True)
class CorpusPassage:
    """One text of the corpus, found or not found as a whole; it may stand in the whole document `document`."""

    id: str
    title: str
    text: str
    document: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One question; `supporting` are the ids of the passages that together answer it."""

    id: str
    question: str
    answer: str = ""
    aliases: tuple[str, ...] = ()
    supporting: tuple[str, ...] = ()
    type: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A corpus and its questions.

    `corpus` names the corpus where several sets have the same. With `whole` documents, those are what is
    loaded and searched, and a passage is found when enough of its text is.
    """

    name: str
    passages: tuple[CorpusPassage, ...]
    cases: tuple[Case, ...]
    corpus: str = ""
    whole: tuple[CorpusPassage, ...] = ()

    @property
    def searched(self) -> tuple[CorpusPassage, ...]:
        """What is loaded and searched."""
        return self.whole or self.passages

    @property
    def digest(self) -> str:
        """Identifies what is searched by what it holds."""
        content = hashlib.sha256(b"whole" if self.whole else b"")
        for passage in self.searched:
            content.update(json.dumps([passage.id, passage.title, passage.text]).encode())
        return content.hexdigest()

    @property
    def supported(self) -> tuple[Case, ...]:
        """The questions that say what a search should find; only these count in retrieval metrics."""
        return tuple(case for case in self.cases if case.supporting)

    def pick(self, limit: int | None, seed: int | None) -> "QuestionSet":
        """At most `limit` questions: the first ones, or with a `seed` a random draw in file order."""
        if limit is None or limit >= len(self.cases):
            return self
        chosen = range(limit)
        if seed is not None:
            chosen = sorted(random.Random(seed).sample(range(len(self.cases)), limit))
        return replace(self, cases=tuple(self.cases[index] for index in chosen))

    def without_gold(self, count: int) -> "QuestionSet":
        """The first `count` supported questions over a corpus that lacks every passage they need."""
        cases = self.supported[:count]
        gone = {passage for case in cases for passage in case.supporting}
        kept = tuple(passage for passage in self.passages if passage.id not in gone)
        return replace(self, passages=kept, cases=cases)


def find_sets(folders: Sequence[Path]) -> list[Path]:
    """The folders themselves, and for a folder that only holds sets, each of those."""
    found: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"{folder} is not a folder. Give a folder with {CORPUS} and {QUESTIONS}.")
        inner = (
            [] if (folder / CORPUS).exists() else sorted(file.parent for file in folder.glob(f"*/{CORPUS}"))
        )
        found += inner or [folder]
    return found


def read_set(folder: Path) -> QuestionSet:
    """Read one set; `UsageError` names the file, the line and what is wrong there."""
    corpus, questions = folder / CORPUS, folder / QUESTIONS
    passages = _read_passages(corpus)
    cases = read_questions(questions)
    known = {passage.id for passage in passages}
    for case in cases:
        if lost := [name for name in case.supporting if name not in known]:
            raise UsageError(
                f"{questions}: question {case.id!r} is supported by {lost[0]!r}, not in {CORPUS}."
            )
    return QuestionSet(folder.resolve().name, passages, cases)


def read_documents(folder: Path) -> tuple[CorpusPassage, ...]:
    """The whole documents of a set."""
    return _read_passages(folder / DOCUMENTS)


def read_questions(file: Path) -> tuple[Case, ...]:
    """Questions alone; what supports them may be given as `sources` instead."""
    cases = tuple(_case(fields, where) for fields, where in _lines(file))
    _no_twin([case.id for case in cases], file)
    return cases


def _read_passages(file: Path) -> tuple[CorpusPassage, ...]:
    passages = tuple(_passage(fields, where) for fields, where in _lines(file))
    _no_twin([passage.id for passage in passages], file)
    return passages


def _lines(file: Path) -> Iterator[tuple[Mapping[str, Any], str]]:
    try:
        content = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"{file} is missing. A set is a folder with {CORPUS} and {QUESTIONS}.") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 (byte {error.start}). Save it as UTF-8.") from error
    if not content.strip():
        raise UsageError(f"{file} is empty. It needs one JSON object per line.")
    for number, line in enumerate(content.split("\n"), start=1):
        if line.strip():
            yield _object(line, f"{file}:{number}"), f"{file}:{number}"


def _object(line: str, where: str) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise UsageError(f"{where}: not JSON: {error.msg} at column {error.colno}.") from None
    if not isinstance(value, dict):
        raise UsageError(f"{where}: expected a JSON object, found {type(value).__name__}.")
    return cast(Mapping[str, Any], value)


def _passage(fields: Mapping[str, Any], where: str) -> CorpusPassage:
    return CorpusPassage(
        _text(fields, "id", where),
        _text(fields, "title", where, ""),
        _text(fields, "text", where),
        _text(fields, "doc_id", where, ""),
    )


def _case(fields: Mapping[str, Any], where: str) -> Case:
    question = _text(fields, "question", where)
    if not question.strip():
        raise UsageError(f'{where}: "question" is blank.')
    return Case(
        id=_text(fields, "id", where),
        question=question,
        answer=_text(fields, "answer", where, ""),
        aliases=_texts(fields, "aliases", where),
        supporting=tuple(
            dict.fromkeys(_texts(fields, "supporting_ids", where) or _texts(fields, "sources", where))
        ),
        type=_text(fields, "type", where, ""),
    )


def _text(fields: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    value = fields.get(key, default)
    if value is None:
        raise UsageError(f'{where}: "{key}" is missing.')
    if not isinstance(value, str):
        raise UsageError(f'{where}: "{key}" must be a string, found {type(value).__name__}.')
    return value


def _texts(fields: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = fields.get(key)
    if value is None:
        return ()
    items = cast(list[object], value) if isinstance(value, list) else [None]
    texts = tuple(item for item in items if isinstance(item, str))
    if len(texts) != len(items):
        raise UsageError(f'{where}: "{key}" must be a list of strings.')
    return texts


def _no_twin(ids: Sequence[str], file: Path) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise UsageError(f"{file}: the id {name!r} occurs twice. Ids must be unique.")
        seen.add(name)
