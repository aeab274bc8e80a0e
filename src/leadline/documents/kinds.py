"""Which kind of document a file is: by its name first, by its first bytes when the name says nothing."""

import zipfile
from pathlib import Path
from typing import IO

_KINDS = """
pdf: pdf
docx: docx docm dotx
doc: doc dot
pptx: pptx pptm ppsx potx
ppt: ppt pps
xlsx: xlsx xlsm xltx
xls: xls xlt
odt: odt ott fodt
ods: ods ots fods
odp: odp otp fodp
rtf: rtf
html: html htm xhtml shtml
epub: epub
eml: eml mht mhtml
msg: msg
mbox: mbox mbx
csv: csv
tsv: tsv tab
json: json geojson
jsonl: jsonl ndjson
xml: xml xsd xsl xslt rss atom svg dita docbook
markdown: md markdown mdown mkd mdx qmd rmd
rst: rst rest
latex: tex latex ltx sty cls
notebook: ipynb
vtt: vtt
srt: srt
text: txt text log asc adoc asciidoc org textile wiki nfo bib po pot diff patch
code: py pyi pyx js mjs cjs jsx ts mts tsx java kt kts scala groovy gradle c h cc cpp cxx hh hpp hxx cs fs fsx vb go rs
code: rb php pl pm t lua r jl m mm swift dart ex exs erl hrl hs lhs elm ml mli clj cljs edn lisp el scm rkt nim zig v sv
code: vhd vhdl sol sql psql ddl sh bash zsh fish ps1 psm1 bat cmd awk sed tcl asm s f f77 f90 f95 f03 cob cbl pas pp ada
code: adb ads d proto thrift graphql gql css scss sass less vue svelte tf hcl nix cmake mk make dockerfile yaml yml toml
code: ini cfg conf properties cu cuh cl glsl hlsl wgsl metal gd coffee pug haml jinja j2 tmpl puml
"""

_WHOLE_NAMES = """
code: makefile dockerfile rakefile gemfile jenkinsfile vagrantfile cmakelists.txt justfile procfile brewfile
text: readme license licence copying notice authors changelog changes
"""


def _table(lines: str) -> dict[str, str]:
    """Each word of a line -> the kind before its colon."""
    pairs = (line.partition(": ") for line in lines.strip().split("\n"))
    return {word: kind for kind, _, words in pairs for word in words.split()}


_EXTENSIONS = _table(_KINDS)
_NAMES = _table(_WHOLE_NAMES)

TEXT_KINDS = frozenset(
    {"markdown", "text", "code", "csv", "tsv", "json", "jsonl", "rst", "latex", "notebook", "vtt", "srt"}
)
"""Kinds whose reader needs nothing but the standard library: cheap enough to read in batches."""

HEAD = 8192
WEBPAGE = "page.webpage"
"""What HTML that came from the web is named for reading: its main part is wanted, not all that stands on it."""
LINKS, BASE, ROBOTS = "links", "base", "robots"
"""Metadata of such a page for whoever asked for it: the addresses that it names, as they stand there, what they count from,
and what it lets be done with it."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def kind_of(path: Path) -> str:
    """The kind of `path`, or "" when it is not a document (a picture, a program, an archive)."""
    kind = kind_of_name(path.name)
    if kind or path.suffix.lower() in NOT_DOCUMENTS:
        return kind
    try:
        with path.open("rb") as file:
            return sniff(file.read(HEAD))
    except OSError:
        return ""


NOT_DOCUMENTS = frozenset(
    [
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".bmp",
        ".webp",
        ".ico",
        ".tif",
        ".tiff",
        ".mp3",
        ".mp4",
        ".wav",
        ".ogg",
        ".avi",
        ".mov",
        ".mkv",
        ".zip",
        ".gz",
        ".bz2",
        ".xz",
        ".zst",
        ".7z",
        ".rar",
        ".tar",
        ".jar",
        ".whl",
        ".exe",
        ".dll",
        ".so",
        ".dylib",
        ".o",
        ".a",
        ".pyc",
        ".class",
        ".woff",
        ".woff2",
        ".ttf",
        ".otf",
        ".db",
        ".sqlite",
        ".parquet",
    ]
)


def kind_of_name(name: str) -> str:
    """The kind that a file name alone tells, or ""."""
    lower = name.lower()
    if lower in _NAMES:
        return _NAMES[lower]
    return _EXTENSIONS.get(lower.rpartition(".")[2], "") if "." in lower else ""


def sniff(head: bytes) -> str:
    """The kind that the first bytes tell: a signature, else text if they can be text, else ""."""
    return signature(head) or ("text" if looks_like_text(head) else "")


def signature(head: bytes) -> str:
    """The kind by signature, or "": `zip` and `ole` are containers that only their contents tell apart."""
    start = head[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(_OLE):
        return "ole"
    if head.startswith(b"PK\x03\x04"):
        return "zip"
    if start.startswith(b"{\\rtf"):
        return "rtf"
    lower = start[:256].lower()
    if lower.startswith((b"<!doctype html", b"<html")):
        return "html"
    if lower.startswith(b"<?xml"):
        return "html" if b"<html" in head[:HEAD].lower() else "xml"
    if start.startswith(b"WEBVTT"):
        return "vtt"
    return "mbox" if start.startswith(b"From ") and b"\nReceived:" in head else ""


def looks_like_text(head: bytes) -> bool:
    """Whether bytes can be text in some encoding: no NUL outside UTF-16/32, few control characters."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return True
    if not head:
        return True
    zeros = head.count(0)
    if zeros:
        even, odd = head[0::2].count(0), head[1::2].count(0)
        wide = min(even, odd) * 20 <= max(even, odd) and max(even, odd) * 5 >= len(head) // 2
        wider = (
            len(head) >= 8
            and zeros * 2 >= len(head)
            and (head[2::4] + head[1::4]).count(0) * 3 >= len(head[::4]) * 2
        )
        return wide or wider
    controls = sum(head.count(code) for code in (*range(1, 8), *range(14, 27), *range(28, 32)))
    return controls * 50 <= len(head)


def inside_zip(file: IO[bytes]) -> str:
    """The kind of a ZIP container by what it holds, or ""."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            declared = (
                archive.read("mimetype")[:100].decode("ascii", "replace") if "mimetype" in names else ""
            )
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, ValueError):
        return ""
    if "epub" in declared:
        return "epub"
    for word, kind in (("text", "odt"), ("spreadsheet", "ods"), ("presentation", "odp")):
        if f"opendocument.{word}" in declared:
            return kind
    for part, kind in (
        ("word/document.xml", "docx"),
        ("ppt/presentation.xml", "pptx"),
        ("xl/workbook.xml", "xlsx"),
    ):
        if part in names:
            return kind
    return ""
