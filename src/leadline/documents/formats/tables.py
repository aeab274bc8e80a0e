"""CSV and TSV: a Markdown table when every row fits, the text as it stands when rows are ragged."""

import csv
import io

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import decode
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source

_LONGEST_CELL = 2**31 - 1


def read(source: Source) -> Extracted:
    """One table."""
    text = normalise(decode(source.data))
    delimiter = "\t" if source.kind == "tsv" else _delimiter(text)
    composer = Composer(source.kind)
    csv.field_size_limit(_LONGEST_CELL)
    try:
        rows = [
            row
            for row in csv.reader(io.StringIO(text), delimiter=delimiter)
            if any(cell.strip() for cell in row)
        ]
    except csv.Error:
        rows = []
    if rows and len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows):
        composer.table(rows)
    else:
        composer.raw_table(text)
    return composer.build()


def _delimiter(text: str) -> str:
    """The one that splits the first lines into the most columns, and evenly."""
    lines = [line for line in text[:20_000].split("\n")[:20] if line.strip()]
    best, best_score = ",", 0.0
    for candidate in (",", ";", "\t", "|"):
        counts = [line.count(candidate) for line in lines]
        if not counts or not counts[0]:
            continue
        score = counts.count(counts[0]) / len(counts) + min(counts[0], 5) / 100
        if score > best_score:
            best, best_score = candidate, score
    return best
