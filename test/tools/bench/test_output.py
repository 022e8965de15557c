"""What the bench says."""

import json

from sparse_attn.tools.bench import output

PEER = {"name": "inductor", "skipped": "", "ratio": 2.5, "low": 2.0, "high": 3.0, "difference": 1e-6}
FOUND = {
    "name": "attention V4 fp32",
    "skipped": "",
    "seconds": 0.0123,
    "share": 0.5,
    "binds": "bandwidth",
    "peers": [PEER],
}


def test_a_measurement():
    title, ours, peer = output.measurement(FOUND).splitlines()
    assert title == "attention V4 fp32" and "12.30 ms   50% of the limit (bandwidth)" in ours
    assert "2.50 x  [2.00 to 3.00]   differs by 1e-06" in peer


def test_skipped_says_why():
    skipped = dict(PEER, skipped="needs 9 GB\x1b")
    assert output.measurement(dict(FOUND, peers=[skipped])).endswith("skipped: needs 9 GB\ufffd")
    assert output.measurement(dict(FOUND, skipped="too large")).splitlines()[1] == "  skipped: too large"


def test_facts():
    title, line = output.facts(
        "memory", [{"name": "of x", "value": 12.345, "unit": "MB", "goal": "<= 20"}]
    ).splitlines()
    assert title == "memory" and line.startswith("  of x") and line.endswith("12.35 MB  (goal <= 20)")


def test_the_head_names_every_limit():
    found = {
        "torch": "2",
        "machine": "x",
        "threads": 2,
        "level": "quick",
        "limits": {"fp32": 1.5e11},
        "bandwidth": 2e10,
    }
    assert "reaches 150 Gflop/s in fp32; memory is read at 20 GB/s" in output.head(found)


def test_a_compilation():
    parts = {"name": "compile x", "total": 3.0, "dynamo": 1.5, "aot": 0.5, "ours": 0.25, "inner": 0.0}
    text = output.compilation(parts | {"fused": 3, "candidates": 4})
    assert "3.0 s: dynamo 1.50 s, aot 0.50 s, ours 0.25 s, inner 0.00 s; 3 of 4 candidates fused" in text


def test_json():
    assert json.loads(output.to_json({"measurements": [FOUND]})) == {"measurements": [FOUND]}
