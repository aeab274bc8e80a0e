"""What DOCX, PPTX and XLSX share: opening (encrypted ones too), relations between parts, document properties."""

import io
import posixpath
from typing import Any, cast

import msoffcrypto

from leadline.documents.archives import Archive, attribute, local
from leadline.documents.composing import Composer
from leadline.documents.sources import Source
from leadline.errors import DocumentError

_msoffcrypto = cast(Any, msoffcrypto)
_OLE = b"\xd0\xcf\x11\xe0"
_NAMES = {
    "title": "title",
    "creator": "author",
    "created": "created",
    "modified": "modified",
    "subject": "subject",
    "keywords": "keywords",
    "description": "description",
    "language": "language",
    "category": "category",
}


def open_office(source: Source) -> bytes:
    """The ZIP bytes of an Office file, decrypted with one of the passwords if need be."""
    return decrypt(source.data, source.passwords) if source.data.startswith(_OLE) else source.data


def decrypt(data: bytes, passwords: tuple[str, ...]) -> bytes:
    """The contents of an encrypted Office file; office programs also encrypt with a password that everybody knows."""
    office = _encrypted(data)
    if office is None:
        return data
    for password in (*passwords, "VelvetSweatshop"):
        plain = io.BytesIO()
        try:
            office.load_key(password=password)
            office.decrypt(plain)
        except Exception:  # noqa: BLE001 - a wrong password shows as any error, depending on the cipher
            continue
        return plain.getvalue()
    raise locked(bool(passwords))


def _encrypted(data: bytes) -> Any:
    """The file as the decrypting library sees it, None when it is not encrypted or not known to that library."""
    try:
        office = _msoffcrypto.OfficeFile(io.BytesIO(data))
        return office if office.is_encrypted() else None
    except Exception:  # noqa: BLE001 - it fails in many ways on odd files; whoever parses the data says what is wrong
        return None


def locked(tried: bool) -> DocumentError:
    """The error for a file that needs a password, or another one than those tried."""
    why = "is password-protected" + (" and none of the given passwords opens it" if tried else "")
    return DocumentError(why, "Give --password-file with its password.")


def properties(archive: Archive, composer: Composer) -> None:
    """Title, author, dates and the rest from the core properties."""
    root = archive.xml("docProps/core.xml")
    for child in root if root is not None else ():
        value = (child.text or "").strip()
        name = _NAMES.get(local(child))
        if name and value:
            composer.metadata[name] = value
    composer.title = str(composer.metadata.get("title", ""))


def relations(archive: Archive, part: str) -> dict[str, str]:
    """Relation id -> the part it names, for relations that stay inside the file."""
    folder, name = posixpath.split(part)
    root = archive.xml(f"{folder}/_rels/{name}.rels")
    found: dict[str, str] = {}
    for relation in root if root is not None else ():
        target = attribute(relation, "Target")
        if attribute(relation, "TargetMode") != "External" and target:
            found[attribute(relation, "Id")] = posixpath.normpath(
                posixpath.join("/" + folder, target)
            ).lstrip("/")
    return found
