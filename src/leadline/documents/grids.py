"""Tables whose cells span columns and rows, as rows in which every value stands under its own header."""

from collections.abc import Iterable

WIDEST_SPAN = 200
TALLEST_SPAN = 2_000
Cell = tuple[str, int, int]
"""Text, and how many columns and rows it spans."""


class Grid:
    """Rows as they are laid out: a cell over several rows is repeated in each, one over several columns stands in the first."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.cells = 0
        self._reaching: dict[int, tuple[str, int]] = {}

    def row(self, cells: Iterable[Cell]) -> None:
        """Add a row by its own cells; those that reach down from rows above are put between them."""
        reaching, self._reaching = self._reaching, {}
        laid: list[str] = []
        for text, columns, rows in cells:
            self._reach(laid, reaching)
            for place in range(max(1, min(columns, WIDEST_SPAN))):
                if rows > 1:
                    self._reaching[len(laid)] = (text if place == 0 else "", min(rows, TALLEST_SPAN) - 1)
                laid.append(text if place == 0 else "")
        while reaching:
            self._reach(laid, reaching)
            laid += [""] * (min(reaching) - len(laid) if reaching else 0)
        self.rows.append(laid)
        self.cells += len(laid)

    def _reach(self, laid: list[str], reaching: dict[int, tuple[str, int]]) -> None:
        """Take in what reaches into the next columns; a row's own cell may already stand where one would."""
        for column in [column for column in reaching if column < len(laid)]:
            del reaching[column]
        while len(laid) in reaching:
            text, left = reaching.pop(len(laid))
            if left > 1:
                self._reaching[len(laid)] = (text, left - 1)
            laid.append(text)
