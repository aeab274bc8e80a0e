"""From the settings to what the agents are told."""

from collections.abc import Mapping

from leadline.agents.options import AskOptions, Expand, Layer, ResearchOptions
from leadline.settings import Settings


def ask_options(
    settings: Settings, rounds: int | None = None, layers: Mapping[Layer, bool] | None = None
) -> AskOptions:
    """What the agents are told, from the settings and what this call changes."""
    how = settings.ask
    switches: dict[Layer, bool] = {
        "rewrite": how.rewrite,
        "expand": how.expand,
        "rerank": how.rerank,
        "judge": how.judge,
        "reflect": how.reflect,
        "verify": how.verify,
        **(layers or {}),
    }
    return AskOptions(
        rounds=rounds or how.rounds,
        steps=rounds or how.steps,
        early_stop=how.early_stop,
        recall=settings.search.recall,
        passages=how.passages,
        gap_queries=how.gap_queries,
        parallel=how.parallel,
        confidence=how.confidence,
        gain=how.gain,
        section_size=settings.search.section_size,
        # Rules judge for nothing, a model does not.
        judge_hits=how.judge_hits if settings.model else 0,
        rerank_candidates=settings.search.rerank_candidates,
        rerank_keep=settings.search.rerank_keep,
        rerank_seconds=settings.reranker_seconds,
        layers=frozenset(name for name, on in switches.items() if on),
        expand=_expand(settings, layers or {}),
        research=research_options(settings, rounds),
    )


def research_options(settings: Settings, rounds: int | None = None) -> ResearchOptions:
    """How far a fact loop goes."""
    how = settings.research
    return ResearchOptions(rounds or how.rounds, how.facts, how.new_facts, how.queries)


def _expand(settings: Settings, layers: Mapping[Layer, bool]) -> Expand:
    """What is said of one question holds for it; what is configured, where it suits; else tuning has its say."""
    if "expand" in layers:
        return "always"
    return "suited" if "expand" in settings.ask.model_fields_set else "tuned"
