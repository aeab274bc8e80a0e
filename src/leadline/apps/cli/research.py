"""`leadline research TOPIC`"""

from pathlib import Path
from typing import Annotated

import typer

from leadline.apps.cli import options
from leadline.apps.cli.ask import Explain, answered, looking, saving
from leadline.apps.cli.ask_view import show_answer
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err, out, plain
from leadline.apps.cli.research_view import ResearchView
from leadline.arguments import AskChoices
from leadline.citing.report.writing import report_file
from leadline.errors import LeadlineError

Topic = Annotated[str, typer.Argument(help="What to find out, in quotes.", show_default=False)]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="File of the report: .md, .html, .docx or .pdf.", show_default=False),
]
Rounds = Annotated[int | None, typer.Option(min=1, max=10, help="Most rounds.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("research")(research)


def research(
    context: typer.Context,
    topic: Topic,
    output: Output = None,
    collection: options.Collections = None,
    where: options.Where = None,
    web: options.Web = False,
    site: options.Sites = None,
    since: options.Since = None,
    until: options.Until = None,
    save_pages: options.SavePages = None,
    explain: Explain = False,
    as_json: options.Json = False,
    rounds: Rounds = None,
    model: options.Model = None,
    fast_model: options.FastModel = None,
    max_searches: options.MaxSearches = None,
    max_calls: options.MaxCalls = None,
    max_tokens: options.MaxTokens = None,
    max_usd: options.MaxUsd = None,
    deadline: options.Seconds = None,
) -> None:
    """Gather facts on a topic, each with its source, until nothing is open; write them as a report."""
    file = None if output is None else report_file(output)
    door = Door.of(context).with_flags(
        **{"model": model, "fast_model": fast_model, "research.rounds": rounds},
        **{"budget.seconds": deadline, "budget.searches": max_searches},
        **{"budget.calls": max_calls, "budget.tokens": max_tokens, "budget.usd": max_usd},
    )
    choices: AskChoices = {
        **looking(collection, where, web, site, since, until),
        "save_pages": saving(save_pages, web=web),
        "agent": "research",
    }
    view = ResearchView(explain, "json" if as_json else "terminal")
    answer, unreached = answered(door, topic, choices, view)
    if file is None or as_json:
        show_answer(answer, "json" if as_json else "terminal")
    if unreached and file is not None:
        raise LeadlineError(
            "no search provider answered, so there is nothing to report and no file was written."
        )
    if unreached:
        raise typer.Exit(1)
    if file is not None:
        written = file.write(answer)
        (err() if as_json else out()).print(plain(f"Written: {written}"))
