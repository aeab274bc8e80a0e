"""A group of files -> for each what is to be stored, or what there is to say of it."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline.documents.base import Extracted, Readers
from leadline.documents.describing import describe
from leadline.documents.identity import document_id, file_hash
from leadline.documents.walking import FoundFile
from leadline.embeddings.base import Vectors
from leadline.errors import DocumentError
from leadline.events import FileLoaded, Notice
from leadline.ingest.entries import Prepared, prepare
from leadline.ingest.picturing import Describer, Descriptions
from leadline.ingest.report import LoadOptions
from leadline.ingest.revision import Revision, is_as, stamp

GROUP_FILES = 32
GROUP_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file: `prepared` when it is to be stored, with `vectors` if they are there already, else `said`."""

    file: FoundFile
    prepared: Prepared | None = None
    said: FileLoaded | None = None
    notices: tuple[Notice, ...] = ()
    vectors: Vectors | None = None


@dataclass(frozen=True, slots=True)
class GroupReader:
    """Reads a group of files; `known` maps document ids to revisions, `how` is how this load loads.

    `describer` looks at the pictures inside them.
    """

    readers: Readers
    options: LoadOptions
    known: Mapping[str, Revision]
    how: str
    describer: Describer | None = None

    async def __call__(self, files: Sequence[FoundFile]) -> list[Outcome]:
        hashes = await asyncio.to_thread(_hashes, files)
        changed = [file for file in files if not self._same(file, hashes[file.source])]
        read = await self.readers.read_many(
            [file.path for file in changed],
            self.options.passwords,
            ocr=self.options.ocr,
            pictures=self.describer is not None,
        )
        extracted = dict(zip((file.source for file in changed), read, strict=True))
        seen = {source: await self._seen(found) for source, found in extracted.items()}
        return await asyncio.to_thread(
            lambda: [
                self._outcome(file, extracted.get(file.source), hashes[file.source], seen.get(file.source))
                for file in files
            ]
        )

    async def _seen(self, read: Extracted | DocumentError) -> Descriptions | None:
        """What a model sees in the pictures of a file; None where there are none."""
        if self.describer is None or isinstance(read, DocumentError) or not read.pictures:
            return None
        return await self.describer(read)

    def _same(self, file: FoundFile, content: str) -> bool:
        known = self.known.get(document_id(file.source))
        return known is not None and is_as(known.how, self.how) and bool(content) and known.content == content

    def _outcome(
        self,
        file: FoundFile,
        read: Extracted | DocumentError | None,
        content: str,
        seen: Descriptions | None,
    ) -> Outcome:
        if read is None:
            return Outcome(file, said=FileLoaded(file.source, "unchanged", bytes=file.size))
        if isinstance(read, DocumentError):
            said = FileLoaded(file.source, "failed", 0, file.size, read.reason, read.remedy)
            return Outcome(file, said=said)
        notices = tuple(Notice(f"{file.source}: {note}") for note in read.notes)
        if not read.text.strip():
            reason = " ".join(read.notes) or "holds no text"
            return Outcome(file, said=FileLoaded(file.source, "skipped", 0, file.size, reason))
        # A file written to while it was read, or not all of whose pictures were seen for want of a model's answer,
        # gets a fingerprint that equals none, so the next load reads it.
        whole = _unmoved(file) and (seen is None or seen.whole)
        revision = Revision(stamp(file), self.how, content) if whole else Revision("", "", "")
        document = describe(file, read, content, self.options.metadata)
        prepared = prepare(document, self.options.split, str(revision))
        return Outcome(file, prepared if seen is None else seen.put_into(prepared), notices=notices)


def settled(file: FoundFile, known: Mapping[str, Revision], how: str) -> bool:
    """Whether size and time alone show that a file is the one that was loaded."""
    there = known.get(document_id(file.source))
    return there is not None and is_as(there.how, how) and there.stamp != "" and there.stamp == stamp(file)


def grouped(files: Sequence[FoundFile]) -> Iterator[list[FoundFile]]:
    """Files in groups, bounded in number and in bytes."""
    group: list[FoundFile] = []
    size = 0
    for file in files:
        if group and (len(group) == GROUP_FILES or size + file.size > GROUP_BYTES):
            yield group
            group, size = [], 0
        group.append(file)
        size += file.size
    if group:
        yield group


def _hashes(files: Sequence[FoundFile]) -> dict[str, str]:
    """The content hash of each file, "" for one that cannot be read: its reader will say why."""
    found: dict[str, str] = {}
    for file in files:
        try:
            found[file.source] = file_hash(file.path)
        except OSError:
            found[file.source] = ""
    return found


def _unmoved(file: FoundFile) -> bool:
    try:
        status = file.path.stat()
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == (file.size, file.mtime_ns)
