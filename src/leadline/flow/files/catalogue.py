"""Everything that a flow file may name: steps, sources, sinks, aggregates. Nothing else can be reached from one.

Listed as import paths, so that naming one imports only that one. A package adds its own under the entry-point groups
`leadline.flow_steps`, `leadline.flow_sources`, `leadline.flow_sinks` and `leadline.flow_aggregates`.
"""

from collections.abc import Mapping
from typing import Any, Literal

from leadline import registry
from leadline.errors import FlowError
from leadline.flow.files.problems import nearest

Kind = Literal["step", "source", "sink", "aggregate"]

STEPS: dict[str, str] = {
    "ask": "leadline.flow.steps.asking:Ask",
    "batch": "leadline.flow.operators.grouping:Batch",
    "call": "leadline.flow.operators.functions:Call",
    "classify": "leadline.flow.steps.classifying:Classify",
    "cloze": "leadline.flow.steps.cloze:Cloze",
    "collect": "leadline.flow.operators.grouping:Collect",
    "distinct": "leadline.flow.operators.ordering:Distinct",
    "each": "leadline.flow.operators.control:Each",
    "embed": "leadline.flow.steps.embedding:Embed",
    "extend": "leadline.flow.operators.editing:Extend",
    "extract": "leadline.flow.steps.extracting:Extract",
    "fetch": "leadline.flow.steps.fetching:Fetch",
    "filter": "leadline.flow.operators.mapping:Filter",
    "flat": "leadline.flow.operators.mapping:Flat",
    "flat_map": "leadline.flow.operators.mapping:FlatMap",
    "fork": "leadline.flow.operators.control:Fork",
    "group": "leadline.flow.operators.grouping:Group",
    "if": "leadline.flow.operators.control:If",
    "join": "leadline.flow.operators.joining:Join",
    "judge": "leadline.flow.steps.judging:Judge",
    "limit": "leadline.flow.operators.ordering:Limit",
    "load": "leadline.flow.steps.loading:Load",
    "map": "leadline.flow.operators.mapping:Map",
    "plan": "leadline.flow.steps.planning:Plan",
    "pool": "leadline.flow.steps.pooling:Pool",
    "prompt": "leadline.flow.steps.prompting:Prompt",
    "reflect": "leadline.flow.steps.reflecting:Reflect",
    "remove": "leadline.flow.operators.editing:Remove",
    "rename": "leadline.flow.operators.editing:Rename",
    "retrieve": "leadline.flow.steps.retrieving:Retrieve",
    "sample": "leadline.flow.operators.ordering:Sample",
    "search": "leadline.flow.steps.asking:Search",
    "select": "leadline.flow.operators.editing:Select",
    "set": "leadline.flow.operators.editing:Set",
    "skip": "leadline.flow.operators.ordering:Skip",
    "sort": "leadline.flow.operators.ordering:Sort",
    "split": "leadline.flow.steps.loading:Split",
    "web_search": "leadline.flow.steps.searching_web:SearchWeb",
    "while": "leadline.flow.operators.looping:While",
    "write": "leadline.flow.steps.writing:Write",
}

SOURCES: dict[str, str] = {
    "collection": "leadline.flow.sources.collection:Collection",
    "csv": "leadline.flow.sources.csv_file:Csv",
    "folder": "leadline.flow.sources.folder:Folder",
    "json": "leadline.flow.sources.json_file:Json",
    "jsonl": "leadline.flow.sources.jsonl:Jsonl",
    "parquet": "leadline.flow.sources.parquet:Parquet",
    "rows": "leadline.flow.sources.inline:InlineRows",
    "search": "leadline.flow.sources.search:Search",
    "sql": "leadline.flow.sources.sql:Sql",
    "stdin": "leadline.flow.sources.stdin:Stdin",
    "text": "leadline.flow.sources.text:Text",
}

SINKS: dict[str, str] = {
    "collection": "leadline.flow.sinks.collection:Collection",
    "csv": "leadline.flow.sinks.csv_file:Csv",
    "jsonl": "leadline.flow.sinks.jsonl:Jsonl",
    "markdown": "leadline.flow.sinks.markdown:Markdown",
    "parquet": "leadline.flow.sinks.parquet:Parquet",
    "sql": "leadline.flow.sinks.sql:Sql",
    "stdout": "leadline.flow.sinks.stdout:Stdout",
}

AGGREGATES: dict[str, str] = {
    "collect": "leadline.flow.operators.aggregates:Values",
    "count": "leadline.flow.operators.aggregates:Count",
    "deviation": "leadline.flow.operators.arithmetic:Deviation",
    "distinct": "leadline.flow.operators.aggregates:DistinctValues",
    "first": "leadline.flow.operators.aggregates:First",
    "head": "leadline.flow.operators.aggregates:Head",
    "last": "leadline.flow.operators.aggregates:Last",
    "max": "leadline.flow.operators.arithmetic:Max",
    "mean": "leadline.flow.operators.arithmetic:Mean",
    "min": "leadline.flow.operators.arithmetic:Min",
    "sort": "leadline.flow.operators.aggregates:Sorted",
    "sum": "leadline.flow.operators.arithmetic:Sum",
    "tail": "leadline.flow.operators.aggregates:Tail",
    "variance": "leadline.flow.operators.arithmetic:Variance",
}

TABLES: Mapping[Kind, Mapping[str, str]] = {
    "step": STEPS,
    "source": SOURCES,
    "sink": SINKS,
    "aggregate": AGGREGATES,
}


def names(kind: Kind) -> list[str]:
    """Everything of a kind that could be named, plugins included."""
    return sorted({*TABLES[kind], *plugins(kind)})


def plugins(kind: Kind) -> tuple[str, ...]:
    """Those of other packages."""
    return tuple(registry.names(f"flow_{kind}s"))


def found(kind: Kind, name: str) -> type[Any]:
    """The class behind a name; `FlowError` names the nearest known one."""
    path = TABLES[kind].get(name)
    if path is not None:
        return registry.imported(path, f"{kind} {name}")
    if name in plugins(kind):
        return registry.find(f"flow_{kind}s", name)  # pyright: ignore[reportReturnType] - a plugin's class
    raise FlowError(f"there is no {kind} `{name:.60}`.{nearest(name, names(kind))}")
