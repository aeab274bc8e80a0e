"""ZIP containers and XML parts from people who may mean harm: bounded, and nothing outside the file is ever loaded."""

import io
import zipfile
import zlib
from collections.abc import Iterator

from lxml import etree

from leadline.errors import DocumentError

Element = etree._Element  # pyright: ignore[reportPrivateUsage] - lxml has no public name for it
LARGEST_PART = 256 * 1024 * 1024
LARGEST_TOTAL = 1024 * 1024 * 1024
MOST_PARTS = 50_000


class Archive:
    """A ZIP file that refuses to unpack more than it should."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (ValueError, NotImplementedError, OSError) as error:
            raise zipfile.BadZipFile(str(error)) from error
        infos = self._zip.infolist()
        if len(infos) > MOST_PARTS:
            raise bomb()
        self._names = {info.filename.lstrip("/"): info for info in infos}
        self._unpacked = 0

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def names(self, start: str = "", end: str = "") -> list[str]:
        """The parts whose names start and end so, in the order of the file."""
        return [name for name in self._names if name.startswith(start) and name.endswith(end)]

    def read(self, name: str) -> bytes:
        """One part, b"" when there is none. The size is counted while unpacking: the one declared may lie."""
        info = self._names.get(name)
        if info is None:
            return b""
        if info.flag_bits & 1:
            raise DocumentError(
                "is an encrypted archive", "Unpack it with its password and load what it holds."
            )
        limit = min(LARGEST_PART, LARGEST_TOTAL - self._unpacked)
        try:
            with self._zip.open(info) as part:
                data = part.read(limit + 1)
        except (zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
            raise zipfile.BadZipFile(str(error)) from error
        if len(data) > limit:
            raise bomb()
        self._unpacked += len(data)
        return data

    def xml(self, name: str) -> Element | None:
        """The root of an XML part, None when there is none or nothing in it can be read."""
        data = self.read(name)
        return parse_xml(data) if data.strip() else None


def bomb() -> DocumentError:
    """The error for an archive that would unpack to far more than it is."""
    return DocumentError(
        "unpacks to more than is allowed", "It may be a decompression bomb; load it in parts if it is not."
    )


def parse_xml(data: bytes | str) -> Element | None:
    """The root of an XML text: no entities, no network, no DTD; what is broken is repaired as far as it goes."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, recover=True, huge_tree=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        return etree.fromstring(data.encode() if isinstance(data, str) else data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def local(element: Element) -> str:
    """The name of an element without its namespace; "" for entities and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""  # pyright: ignore[reportUnnecessaryIsInstance] - an entity's tag is a function


def attribute(element: Element, name: str) -> str:
    """An attribute by its name without namespace."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return ""


def descendants(element: Element, name: str) -> Iterator[Element]:
    """Every descendant of that name, in document order."""
    return element.iter("{*}" + name)
