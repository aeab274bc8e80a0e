"""Pictures of flows: everything in them is there, and nothing that a flow file says is obeyed."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from leadline.flow.files.pictures import mermaid, pictured
from leadline.flow.files.reading import read_flow
from leadline.flow.files.svg import svg

FLOW = """
name: harvest
source: {jsonl: rows.jsonl}
steps:
  - filter: score > 0.5
    name: good ones
  - while:
      condition: len(todo) > 0
      max_rounds: 3
      body:
        - if: {condition: one, then: [{limit: 1}]}
  - fork: [[], [{sort: {by: [-score]}}, {distinct: {}}]]
sink: [{jsonl: out.jsonl}, stdout]
"""
SVG = "{http://www.w3.org/2000/svg}"


def flow(text: str, folder: Path) -> Path:
    file = folder / "flow.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_flow_is_drawn_as_mermaid(tmp_path: Path) -> None:
    drawn = mermaid(pictured(read_flow(flow(FLOW, tmp_path))))
    assert drawn == (
        "flowchart TD\n"
        '  n1(["jsonl<br/>path: rows.jsonl"])\n'
        '  n2["good ones<br/>condition: score #62; 0.5"]\n'
        "  n1 --> n2\n"
        '  subgraph n3["while<br/>condition: len(todo) #62; 0<br/>max_rounds: 3"]\n'
        '    subgraph n4["body"]\n'
        '      subgraph n5["if<br/>condition: one"]\n'
        '        subgraph n6["then"]\n'
        '          n7["limit<br/>n: 1"]\n'
        "        end\n"
        '        subgraph n8["else"]\n'
        '          n8e["as it is"]\n'
        "        end\n"
        "      end\n"
        "    end\n"
        "  end\n"
        "  n2 --> n3\n"
        '  subgraph n9["fork"]\n'
        '    subgraph n10["branches 1"]\n'
        '      n10e["as it is"]\n'
        "    end\n"
        '    subgraph n11["branches 2"]\n'
        '      n12["sort<br/>by: -score"]\n'
        '      n13["distinct"]\n'
        "      n12 --> n13\n"
        "    end\n"
        "  end\n"
        "  n3 --> n9\n"
        '  n14[("jsonl<br/>path: out.jsonl")]\n'
        "  n9 --> n14\n"
        '  n15[("stdout")]\n'
        "  n9 --> n15\n"
    )


def test_a_flow_is_drawn_as_svg(tmp_path: Path) -> None:
    root = ElementTree.fromstring(svg(pictured(read_flow(flow(FLOW, tmp_path)))))
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert {"harvest", "good ones", "condition: score > 0.5", "max_rounds: 3", "then", "else: as it is"} <= {
        *texts
    }
    assert len([*root.iter(f"{SVG}polygon")]) == 6
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for box in root.iter(f"{SVG}rect"):
        left, top = float(box.attrib.get("x", 0)), float(box.attrib.get("y", 0))
        assert left >= 0
        assert left + float(box.attrib["width"]) <= width
        assert top + float(box.attrib["height"]) <= height


HOSTILE = [
    "<script>alert(1)</script>",
    '"]; click n1 call alert()',
    "`**bold**`",
    "%%{init: {'securityLevel': 'loose'}}%%",
    '--> n9\nend\nclick n1 "javascript:alert(1)"',
    "&lt;&#60;<![CDATA[x]]>]]>",
    "\u202etxt.exe\u0007\u2028",
    "#60;img src=x onerror=alert(1)#62;",
    "ünïcødé 試験 " * 30,
]


@pytest.mark.parametrize("label", HOSTILE)
def test_no_label_is_obeyed(label: str, tmp_path: Path) -> None:
    quoted = "'" + label.replace("'", "''").replace("\n", "\n\n  ").replace("\u0007", "") + "'"
    text = f"name: {quoted}\nsource: {{rows: {{items: []}}}}\nsteps:\n- limit: 1\n  name: {quoted}\n- set:\n    fields:\n      x:\n        value: {quoted}\n"
    picture = pictured(read_flow(flow(text, tmp_path)))
    drawn = mermaid(picture)
    lines = drawn.splitlines()
    plain = r"(?:[\w .,:()=/+'?!-]|#\d+;|<br/>)*"
    boxes = rf'  n\d+(?:\(\["{plain}"\]\)|\["{plain}"\])'
    assert [line for line in lines[1:] if not re.fullmatch(rf"{boxes}|  n\d+ --> n\d+", line)] == []
    root = ElementTree.fromstring(svg(picture))
    allowed = {SVG + tag for tag in ("svg", "title", "rect", "text", "line", "polygon")}
    assert {each.tag for each in root.iter()} <= allowed
    assert not [
        name for each in root.iter() for name in each.attrib if name.startswith("on") or "href" in name
    ]


def test_what_must_not_be_shown_is_not_drawn(tmp_path: Path) -> None:
    text = "source: {sql: {url: 'sqlite:///topsecret.db', query: SELECT 1}}\nsteps: []"
    picture = pictured(read_flow(flow(text, tmp_path)))
    assert "topsecret" not in mermaid(picture) + svg(picture)
    assert "SELECT 1" in mermaid(picture)
