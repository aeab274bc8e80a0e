"""Twenty invented documents, a question that needs three rounds over them, and what a model would ask in each."""

from collections.abc import Mapping
from pathlib import Path

QUESTION = "Who trained the designer of the engine of the ferry Sable Heron, and where did that master's glass come from?"
ROUNDS: tuple[tuple[str, ...], ...] = (
    (
        "Which engine drives the ferry Sable Heron?",
        "Who drew the engine of the Sable Heron?",
        "Where are marine engineers of the coast trained?",
        "How long did an apprentice serve?",
    ),
    (
        "Whose pupil was Ines Calloway?",
        "Which lighthouse got its lens from Ludmere?",
        "Who keeps the lamp at Corrin Point today?",
    ),
    ("Which sand did the furnaces of Pell use?", "Who took over the workshop of Osric Brandt?"),
)
"""The sub-queries of the plan, then the queries after each reflection: 4 + 3 + 2."""

FACTS: tuple[tuple[str, str], ...] = (
    ("driven by a Tarn 40 diesel", "The ferry Sable Heron is driven by a Tarn 40 diesel."),
    ("The Tarn 40 was drawn by Ines Calloway", "The Tarn 40 was drawn by Ines Calloway."),
    ("An apprentice on the coast served four years", "An apprentice on the coast served four years."),
    ("Ines Calloway was bound to Osric Brandt", "Ines Calloway was bound to Osric Brandt."),
    ("Osric Brandt took his glass from Pell", "Osric Brandt took his glass from Pell."),
    ("Its furnaces were lit in 1870", "The furnaces of Pell were lit in 1870."),
    ("Petra Lund took over the workshop", "Petra Lund took over the workshop."),
)
"""What helps: words that stand in one document each, and the claim that rests on them."""

DOCUMENTS: Mapping[str, str] = {
    "sable_heron": "The ferry Sable Heron crosses Corrin Bay eleven times a day. She is driven by a Tarn 40 diesel "
    "and carries sixty cars. Her crew of nine live in Ludmere.",
    "grey_gull": "The ferry Grey Gull was laid up in 1998. Her steam engine, the last on the bay, stands in the yard "
    "of the ferry company and is turned by hand once a year.",
    "tarn_40": "The Tarn 40 was drawn by Ines Calloway in the winter of 1961. It has six cylinders and runs on heavy "
    "oil. Forty were built at the Tarn works before it closed.",
    "tarn_works": "The Tarn works made ship engines from 1920 to 1983. At its best it employed three hundred people, "
    "and its whistle could be heard across the bay.",
    "calloway": "Ines Calloway was bound to Osric Brandt at sixteen and left him at twenty. She sang in the chapel choir until she was eighty and never learned to swim.",
    "brandt": "Osric Brandt took his glass from Pell and ground it by the window. He also made sextants, and the spectacles of half the town.",
    "brandt_workshop": "After Osric Brandt died, Petra Lund took over the workshop. She sold the grinding benches in 1990 and makes watch glasses there.",
    "corrin_point": "The lens of the Corrin Point lighthouse came from a workshop in Ludmere. It throws its light eighteen miles and turns once in twelve seconds.",
    "keeper": "The lamp at Corrin Point is kept by Jonas Weir, who drives out from Ludmere on Fridays. The lighthouse "
    "has had no keeper living in it since 1994.",
    "school": "Marine engineers of the coast are trained at the school in Anstead, which opened in 1947. Its pupils "
    "spend every second winter at sea.",
    "prizes": "The coast's prize for engines was given from 1950 to 1975. The Tarn 40 diesel won it in 1963, ahead of "
    "two engines from abroad.",
    "other_lenses": "Lenses for harbour lights were ground in Ludmere, Anstead and Pell. Those of Pell were cast, not "
    "ground, and are known by their green tint.",
    "fog_signal": "The fog signal at Corrin Point was a siren until 1971 and is an electric horn today. It sounds "
    "twice a minute when the far shore cannot be seen.",
    "ludmere": "Ludmere lies on the south shore of Corrin Bay. It has a ferry landing, four workshops, two chapels "
    "and a market on Wednesdays.",
    "anstead": "Anstead, on the north shore, grew around its school and its fish market. The ferry lands at the old "
    "stone quay.",
    "apprentices": "An apprentice on the coast served four years. In the first winter he swept, in the second he "
    "carried, and only then was he shown the work.",
    "company": "The ferry company was founded by three captains in 1911. It owns two ferries, a tug and the landing "
    "stages on both shores.",
    "storm": "In the storm of 1953 the sea broke the windows of the lighthouse at Corrin Point. The lamp burned on, "
    "and no ship was lost.",
    "pell": "Pell is known for its glass. Its furnaces were lit in 1870 and went out in 1932, when sand from abroad "
    "became cheaper.",
    "salt": "Salt was boiled on the flats below Pell until 1900. The pans can still be seen at low water, and a path "
    "leads along them.",
}


def write(folder: Path) -> None:
    """One Markdown file for each document."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in DOCUMENTS.items():
        title = name.replace("_", " ").capitalize()
        (folder / f"{name}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
