"""What the torch_npu operators of DeepSeek-V3.2 share: actual_seq_lengths, PA_BSND pages, no compression and no
plan.
"""

from .call import Call
from .constraint import Constraint, on
from .rows import TensorRow, index
from .rules import contiguous, dim_in, dim_is, not_empty, one_of, required
from .rules_lengths import ends, forbidden_unless, is_, layout_pair, table_covers, used_within
from .target import CHIPS

PAGED = "PA_BSND"
OPEN = 2**63 - 1
"""The only value of pre_tokens and next_tokens: no limit."""


def lengths_rows(key: str) -> dict[str, TensorRow]:
    """The length and page tensors; `key` is `key` or `kv`, as the operator spells it."""
    return {
        "block_table": index("B _", about="Blocks of the keys of each batch."),
        "actual_seq_lengths_query": index(
            "B", about="Query lengths; with TND their running sums, without a leading 0."
        ),
        f"actual_seq_lengths_{key}": index("B", about="Key lengths; with TND their running sums, without a leading 0."),
    }


TOKENS = {
    "pre_tokens": "Only 2^63 - 1, no limit.",
    "next_tokens": "Only 2^63 - 1, no limit.",
}


def length_rules(key: str, first: int, ratio: str | None = None) -> dict[str, Constraint]:
    """The rules on layouts and lengths, numbered from `first`; `ratio` names the compression of the keys, if there
    is one.
    """
    lengths, layout = f"actual_seq_lengths_{key}", f"layout_{key}"

    def paged(call: Call) -> bool:
        return call[layout] == PAGED

    rules = [
        layout_pair("layout_query", layout, PAGED),
        one_of("sparse_mode", 0, 3),
        one_of("pre_tokens", OPEN),
        one_of("next_tokens", OPEN),
        required("actual_seq_lengths_query", when=is_("layout_query", "TND"), because="with layout_query TND"),
        required(lengths, when=is_(layout, "TND", PAGED), because=f"with {layout} TND or PA_BSND"),
        required("block_table", when=paged, because=f"with {layout} PA_BSND"),
        forbidden_unless("block_table", layout, PAGED),
        ends("actual_seq_lengths_query", "T1", is_("layout_query", "TND")),
        ends(lengths, "T2", is_(layout, "TND"), ratio),
        on(CHIPS, dim_in("size", 16, 1024, what="rows of a block", multiple=16)),
        table_covers("block_table", lengths, "size", ratio),
        used_within("actual_seq_lengths_query", "", "S1"),
        used_within(lengths, "", "S2", ratio),
        on(CHIPS, not_empty()),
        dim_is("N2", 1, what="key heads"),
    ]
    return {f"c{first + offset}": rule for offset, rule in enumerate(rules)}


def dense(*names: str) -> Constraint:
    return on(CHIPS, contiguous(*names))
