"""`leadline ask QUESTION`"""

from typing import Annotated

import typer

from leadline.apps.cli import options
from leadline.apps.cli.ask_view import AskView, Style, show_answer
from leadline.apps.cli.door import Door
from leadline.apps.cli.reached import Reached
from leadline.arguments import AgentChoice, AskChoices, SearchChoices, refuse_strange
from leadline.errors import UsageError
from leadline.types import Answer

WEB_FLAGS = {
    "collections": "--collection",
    "where": "--where",
    "web": "--web",
    "sites": "--site",
    "since": "--since",
    "until": "--until",
    "save_pages": "--save-pages",
}
"""How a person spells the choices that say where to look."""

STOPPING = "Answering with what was found so far; Ctrl-C again stops at once."

Fast = Annotated[bool, typer.Option("--fast", help="One round.")]
Deep = Annotated[bool, typer.Option("--deep", help="Rounds, until nothing is missing.")]
Agent = Annotated[
    AgentChoice | None,
    typer.Option(
        "--agent",
        help="`fast`, `deep`, `chain` (one question after the other), `research` (facts in rounds, then a report), or "
        "`auto`: by the question.",
    ),
]
Explain = Annotated[bool, typer.Option("--explain", help="Show every round as it happens.")]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown with footnotes.")]
Html = Annotated[bool, typer.Option("--html", help="Print an HTML page.")]
Rounds = Annotated[int | None, typer.Option(min=1, max=10, help="Most rounds, or questions of a chain.")]
Rewrite = Annotated[
    bool | None, typer.Option("--rewrite/--no-rewrite", help="Split the question, put it into other words.")
]
Rerank = Annotated[bool | None, typer.Option("--rerank/--no-rerank", help="Rank all evidence once more.")]
Judge = Annotated[bool | None, typer.Option("--judge/--no-judge", help="Drop hits that do not help.")]
Reflect = Annotated[bool | None, typer.Option("--reflect/--no-reflect", help="Look for gaps.")]
Verify = Annotated[bool | None, typer.Option("--verify/--no-verify", help="Check every claim.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ask")(ask)


def ask(
    context: typer.Context,
    question: options.Question,
    collection: options.Collections = None,
    where: options.Where = None,
    web: options.Web = False,
    site: options.Sites = None,
    since: options.Since = None,
    until: options.Until = None,
    save_pages: options.SavePages = None,
    fast: Fast = False,
    deep: Deep = False,
    agent: Agent = None,
    explain: Explain = False,
    as_json: options.Json = False,
    markdown: Markdown = False,
    html: Html = False,
    rounds: Rounds = None,
    model: options.Model = None,
    fast_model: options.FastModel = None,
    max_searches: options.MaxSearches = None,
    max_calls: options.MaxCalls = None,
    max_tokens: options.MaxTokens = None,
    max_usd: options.MaxUsd = None,
    deadline: options.Seconds = None,
    rewrite: Rewrite = None,
    rerank: Rerank = None,
    judge: Judge = None,
    reflect: Reflect = None,
    verify: Verify = None,
) -> None:
    """Answer a question; every sentence names the passage it rests on."""
    door = Door.of(context).with_flags(
        **{"model": model, "fast_model": fast_model, "ask.rounds": rounds, "ask.steps": rounds},
        **{"research.rounds": rounds},
        **{"budget.seconds": deadline, "budget.searches": max_searches},
        **{"budget.calls": max_calls, "budget.tokens": max_tokens, "budget.usd": max_usd},
        **{"ask.rewrite": rewrite, "ask.rerank": rerank, "ask.judge": judge},
        **{"ask.reflect": reflect, "ask.verify": verify},
    )
    style, taken = one_style(as_json, markdown, html), one_agent(fast, deep, agent)
    choices: AskChoices = {
        **looking(collection, where, web, site, since, until),
        "save_pages": saving(save_pages, web=web),
        "agent": taken,
        "layers": {} if rewrite is None else {"expand": rewrite},
    }
    answer, unreached = answered(door, question, choices, AskView(explain, style))
    show_answer(answer, style)
    raise typer.Exit(1 if unreached else 0)


def answered(door: Door, question: str, choices: AskChoices, view: AskView) -> tuple[Answer, bool]:
    """The answer to a question, followed on the way; and whether there is nothing in it since nothing was reached."""
    reached = Reached(view.show)
    with view:
        answer = door.run(
            lambda workspace, run: workspace.ask(question, run=run, **choices),
            emit=reached,
            on_cancel=STOPPING,
        )
    return answer, reached.nothing and not answer.evidence


def looking(
    collections: list[str] | None,
    where: str | None,
    web: bool,
    sites: list[str] | None,
    since: str | None,
    until: str | None,
) -> SearchChoices:
    """Where to look, as the options of a command say."""
    choices: SearchChoices = {
        "collections": collections or (),
        "where": where,
        "web": web,
        "sites": sites or (),
        "since": since,
        "until": until,
    }
    refuse_strange(choices, SearchChoices, WEB_FLAGS)
    return choices


def saving(collection: str | None, *, web: bool) -> str | None:
    """The collection that pages are saved in, as the option says."""
    refuse_strange({"web": web, "save_pages": collection}, AskChoices, WEB_FLAGS)
    return collection


def one_agent(fast: bool, deep: bool, agent: AgentChoice | None) -> AgentChoice:
    """The agent that was asked for."""
    if fast + deep + (agent is not None) > 1:
        raise UsageError("--fast, --deep and --agent exclude each other. Give one of them, or none.")
    return "fast" if fast else "deep" if deep else agent or "auto"


def one_style(as_json: bool, markdown: bool, html: bool) -> Style:
    """The form of the answer that was asked for."""
    if as_json + markdown + html > 1:
        raise UsageError("--json, --markdown and --html exclude each other. Give one of them, or none.")
    return "json" if as_json else "markdown" if markdown else "html" if html else "terminal"
