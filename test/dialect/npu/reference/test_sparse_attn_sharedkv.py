import numpy as np
from attention import run_reference
from attention_cases import lay_out, random_problem

NAME = "sparse_attn_sharedkv"


def test_equals_sparse_flash_mla_with_the_lengths_spelled_out():
    problem = random_problem(4, "bf16", lists=(0, 30))
    call = lay_out(problem, "TND", "PA", spare=0)
    lengths = call["seqused_ori_kv"]
    spelled = call | {"seqused_cmp_kv": lengths // 4, "cmp_residual_kv": lengths % 4}
    one = call | {"seqused_kv": lengths, "layout_kv": "PA_ND"}
    for got, expected in zip(run_reference(NAME, one), run_reference("sparse_flash_mla", spelled), strict=True):
        assert got.tobytes() == expected.tobytes()


def test_groups_of_an_incomplete_tail_are_not_seen():
    """Seven tokens make one group of four; a second block row would be another group."""
    keys = np.ones((1, 16, 1, 512), np.float16)
    groups = np.full((1, 16, 1, 512), 9, np.float16)
    table = np.zeros((1, 1), np.int32)
    call = {"q": np.zeros((1, 1, 1, 512), np.float16), "ori_kv": keys, "cmp_kv": groups, "ori_block_table": table}
    call |= {"cmp_block_table": table, "cmp_ratio": 4, "ori_win_left": 0, "softmax_scale": 1.0}
    for tokens, seen in ((7, 1), (8, 2)):
        out, _ = run_reference(NAME, call | {"seqused_kv": np.array([tokens], np.int32)})
        assert (out == np.float16((1 + 9 * seen) / (1 + seen))).all()
