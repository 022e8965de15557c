"""What quant_sparse_flash_mla and sparse_flash_mla share: tensors, attributes, modes, and the rules that span
arguments.
"""

from .call import Call
from .constraint import rule
from .rows import FLOAT32, METADATA, Dtypes, TensorRow, index, tensor

PAGED = "PA_BBND"


def mla_tensors(dtypes: Dtypes, scaled: bool) -> dict[str, TensorRow]:
    """The tensor rows of the family in schema order; `scaled` adds the three descales."""

    def keys(seq: str, number: int) -> dict[str, str]:
        return {"BSND": f"B S{seq} N2 D", "TND": f"T{seq} N2 D", PAGED: f"blocks{number} size{number} N2 D"}

    rows = {
        "q": tensor(
            dtypes, by="layout_q", BSND="B S1 N1 D", TND="T1 N1 D", about="Queries; the last 64 columns rotary."
        ),
        "ori_kv": tensor(dtypes, by="layout_kv", **keys("2", 1), about="Original keys, also the values."),
        "cmp_kv": tensor(dtypes, by="layout_kv", **keys("3", 2), about="Compressed keys, also the values."),
        "q_descale": tensor(FLOAT32, "1", about="Factor of every query element."),
        "ori_kv_descale": tensor(FLOAT32, "1", about="Factor of every original key element."),
        "cmp_kv_descale": tensor(FLOAT32, "1", about="Factor of every compressed key element."),
        "ori_sparse_indices": _rows_of_queries("N2 K1", "Original keys each row attends, -1 after the last."),
        "cmp_sparse_indices": _rows_of_queries("N2 K2", "Compressed keys each row attends, -1 after the last."),
        "ori_block_table": index("B _", about="Blocks of the original keys of each batch."),
        "cmp_block_table": index("B _", about="Blocks of the compressed keys of each batch."),
        "cu_seqlens_q": index("B+1", about="Running sums of query lengths (TND)."),
        "cu_seqlens_ori_kv": index("B+1", about="Running sums of original key lengths (TND)."),
        "cu_seqlens_cmp_kv": index("B+1", about="Running sums of compressed key lengths (TND)."),
        "seqused_q": index("B", about="Valid query tokens of each batch."),
        "seqused_ori_kv": index("B", about="Valid original keys of each batch."),
        "seqused_cmp_kv": index("B", about="Valid compressed keys of each batch; overrides what the layout implies."),
        "cmp_residual_kv": index("B", about="Tokens after the last complete compressed row."),
        "ori_topk_length": _rows_of_queries("N2", "How many entries of ori_sparse_indices count."),
        "cmp_topk_length": _rows_of_queries("N2", "How many entries of cmp_sparse_indices count."),
        "sinks": tensor(FLOAT32, "N1", about="One logit a head, part of the softmax denominator only."),
        "metadata": METADATA,
    }
    return {name: row for name, row in rows.items() if scaled or not name.endswith("_descale")}


def _rows_of_queries(rest: str, about: str) -> TensorRow:
    return index(by="layout_q", BSND=f"B S1 {rest}", TND=f"T1 {rest}", about=about)


MLA_ATTRIBUTES = {
    "softmax_scale": "Factor of the dot products.",
    "cmp_ratio": "Original tokens a compressed row stands for.",
    "ori_mask_mode": "0: all keys. 3: causal, aligned right-down. 4: the band of ori_win_left and ori_win_right.",
    "cmp_mask_mode": "0: all keys. 3: rows whose last token is visible, aligned right-down.",
    "ori_win_left": "Tokens to the left a row may see; -1: no limit.",
    "ori_win_right": "Tokens to the right a row may see; -1: no limit.",
    "layout_q": "BSND or TND.",
    "layout_kv": "BSND, TND or PA_BBND, the same for both keys.",
    "topk_value_mode": "How list entries count. Only 1, a row index, exists.",
    "return_softmax_lse": "Whether softmax_lse is computed.",
}


def paged(call: Call) -> bool:
    return call["layout_kv"] == PAGED


def lse_shape(call: Call) -> tuple:
    """[B, 1, S1, N1] or [1, T1, N1], and (0,) when it was not asked for."""
    if not call["return_softmax_lse"]:
        return (0,)
    *rows, heads, _ = call.shape("q")
    return (rows[0], 1, rows[1], heads) if len(rows) == 2 else (1, rows[0], heads)


def mode(call: Call) -> str:
    """SWA (window), HCA (window and compressed prefix), CSA (window and list), ORI_SPARSE, ORI_CMP_SPARSE."""
    if call.has("ori_sparse_indices"):
        return "ORI_CMP_SPARSE" if call.has("cmp_kv") else "ORI_SPARSE"
    if call.has("cmp_kv"):
        return "CSA" if call.has("cmp_sparse_indices") else "HCA"
    return "SWA"


def residual_matters(call: Call) -> bool:
    return call.has("cmp_kv") and call["cmp_mask_mode"] == 3 and call["cmp_ratio"] not in (1, None)


def original_length_open(call: Call) -> bool:
    """Paged original keys whose length nothing else tells."""
    return paged(call) and not (call["ori_mask_mode"] == 0 and call.has("ori_topk_length"))


def compressed_length_open(call: Call) -> bool:
    """Paged compressed keys whose length nothing else tells."""
    return paged(call) and call.has("cmp_kv") and not (call["cmp_mask_mode"] == 0 and call.has("cmp_topk_length"))


@rule("Windows are -1 unless `ori_mask_mode` is 4.", "pass -1 for both, or ori_mask_mode = 4")
def window_only_with_band(call: Call) -> str | None:
    left, right, mask = call["ori_win_left"], call["ori_win_right"], call["ori_mask_mode"]
    if mask == 4 or (left, right) == (-1, -1):
        return None
    return f"ori_win_left/right are {left}/{right} with ori_mask_mode {mask}"


@rule(
    "Without `cmp_kv` nothing of the compressed side is set: no cmp tensors, `cmp_ratio` 1, `cmp_mask_mode` 0.",
    "leave the cmp arguments at their defaults, or pass cmp_kv",
)
def no_compressed_leftovers(call: Call) -> str | None:
    """The DeepSeek-V4 recipe passes cmp_kv_descale and seqused_cmp_kv for ratio 1 all the same; the checker refuses
    that.
    """
    if call.has("cmp_kv"):
        return None
    left = [name for name in call.tensors if "cmp_" in name]
    left += [name for name, value in (("cmp_ratio", 1), ("cmp_mask_mode", 0)) if call[name] not in (value, None)]
    return f"{' and '.join(left)} set without cmp_kv" if left else None


@rule(
    "A list with mask mode 0 comes with its topk_length, which says how many entries count.",
    "pass the topk_length, or mask mode 3",
)
def length_for_unmasked_list(call: Call) -> str | None:
    for side in ("ori", "cmp"):
        unmasked = call.has(f"{side}_sparse_indices") and call[f"{side}_mask_mode"] == 0
        if unmasked and not call.has(f"{side}_topk_length"):
            return f"{side}_sparse_indices with {side}_mask_mode 0 and no {side}_topk_length"
    return None


@rule(
    "With `ori_sparse_indices` both mask modes are 0; a topk_length comes only with its list and mask mode 0.",
    "use mask mode 0 with lists",
)
def documented_list_modes(call: Call) -> str | None:
    """The document asks for this, the checker does not: told as a warning."""
    if call.has("ori_sparse_indices") and (call["ori_mask_mode"], call["cmp_mask_mode"]) != (0, 0):
        return f"ori_sparse_indices with mask modes {call['ori_mask_mode']}/{call['cmp_mask_mode']}"
    for side in ("ori", "cmp"):
        used = call.has(f"{side}_sparse_indices") and call[f"{side}_mask_mode"] == 0
        if call.has(f"{side}_topk_length") and not used:
            return f"{side}_topk_length without its list in mask mode 0"
    return None
