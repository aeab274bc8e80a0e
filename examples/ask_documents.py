"""Load the example documents, search them and ask a question: the library in plain code.

python examples/ask_documents.py
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from leadline import Leadline

CORPUS = Path(__file__).parent / "corpus"
QUESTION = "Who founded the firm that made the lens of Vennel Point Lighthouse?"


def main() -> None:
    """Print what was loaded, the best passages, and the answer with its sources."""
    with TemporaryDirectory() as folder, Leadline(folder) as leadline:
        report = leadline.load(CORPUS)
        print(f"{report.loaded} files, {report.chunks} chunks")

        print("\nPassages about the harbour's depth:")
        for hit in leadline.search("how deep is the channel", limit=3):
            print(f"  {hit.score:.2f}  {hit.chunk.title}")

        answer = leadline.ask(QUESTION, agent="deep")
        print(f"\n{QUESTION}\n(stopped after {answer.rounds} rounds: {answer.stop})")
        for claim in answer.claims:
            print(f"\n  {claim.text}  [{claim.support}]")
            for citation in claim.citations:
                print(f"    {Path(citation.source).name}, characters {citation.start} to {citation.end}")


if __name__ == "__main__":
    main()
