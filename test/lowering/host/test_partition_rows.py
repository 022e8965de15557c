import numpy as np
import pytest
from sparse_attn_plan import check_plan, loads_of

from sparse_attn.dialect.npu.reference.core_plan import CORES, TILE, draw, read, row_tiles
from sparse_attn.lowering.host.library import HostKernelError, call


def plan(tiles, cores=CORES, split=False, ints=8, heads=64):
    record = np.full(1024, -7, np.int32)
    call("partition_rows", [np.asarray(tiles, np.int32), heads, cores, int(split), ints], [record])
    return record


def random_tiles(seed):
    rng = np.random.default_rng(seed)
    tiles = rng.integers(0, 40, (rng.integers(1, 7), rng.integers(1, 50))).astype(np.int32)
    for batch, count in enumerate(rng.integers(0, tiles.shape[1] + 1, len(tiles))):
        tiles[batch, count:] = -1
    return tiles


GRID = [(cores, split, ints) for cores in (1, 2, 7, 24, 36) for split in (False, True) for ints in (8, 9)]


def check_division(cores, split, ints, seeds):
    for seed in seeds:
        tiles = random_tiles(seed)
        check_plan(plan(tiles, cores, split, ints), tiles, cores, split, ints, heads=64)


@pytest.mark.parametrize(("cores", "split", "ints"), GRID)
def test_parts_are_the_whole_and_even(cores, split, ints):
    check_division(cores, split, ints, range(3))


@pytest.mark.slow
@pytest.mark.parametrize(("cores", "split", "ints"), GRID)
def test_more_parts_are_the_whole_and_even(cores, split, ints):
    check_division(cores, split, ints, range(3, 40))


def test_one_long_row_is_divided_only_when_asked():
    whole, divided = (read(plan([[1000]], split=split), 8) for split in (False, True))
    assert len(whole.parts) == 1 and not whole.merges
    assert len(divided.parts) == CORES
    assert [merge[:4] for merge in divided.merges] == [(0, 0, 0, 36)] * 2
    assert [merge[4:] for merge in divided.merges] == [(0, 32), (32, 32)]


def test_a_row_of_one_head_has_one_merge():
    (merge,) = read(plan([[1000]], split=True, heads=1), 8).merges
    assert (merge.first_head, merge.heads) == (0, 1)


def test_fewer_rows_than_cores_leave_cores_idle():
    assert len(read(plan([[1, 1], [1, -1]]), 8).parts) == 3


@pytest.mark.parametrize("tiles", [[[0, 0]], [[0, 0], [0, -1]]])
def test_rows_without_tiles_still_belong_to_a_core(tiles):
    """Somebody has to write their zeros."""
    (part,) = read(plan(tiles), 8).parts
    assert part[:2] == ((0, 0, 0), (len(tiles), 0, 0))


@pytest.mark.parametrize("tiles", [np.zeros((0, 0)), np.zeros((3, 0)), [[-1, -1]]])
def test_no_rows_enable_no_core(tiles):
    assert not plan(tiles).any()


def test_the_longest_row_of_a_part_is_recorded():
    cores = plan([[3, 9, 2, 7]], cores=2, ints=9)[: 2 * 9].reshape(2, 9)
    assert cores[:, 8].tolist() == [9, 7]


def test_equal_arguments_give_equal_plans_whatever_was_there_before():
    tiles = random_tiles(3)
    assert plan(tiles).tobytes() == plan(tiles).tobytes() != plan(tiles, cores=5).tobytes()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"cores": 0}, r"cores is 0, must be in 1\.\.36"),
        ({"cores": 37}, r"cores is 37"),
        ({"ints": 7}, "record_ints is 7, must be 8 or 9"),
        ({"heads": 0}, "num_heads_q is 0"),
        ({"tiles": [[1, -2]]}, r"tiles at \[0,1\] is -2"),
    ],
)
def test_bad_arguments_are_refused(arguments, text):
    with pytest.raises(HostKernelError, match=text):
        plan(**({"tiles": [[1, 2]]} | arguments))


def test_a_record_of_another_size_is_refused_and_left_alone():
    record = np.full(1000, -7, np.int32)
    with pytest.raises(HostKernelError, match=r"metadata has shape \[1000\], must be \[1024\]"):
        call("partition_rows", [np.ones((1, 1), np.int32), 4, 2, 0, 8], [record])
    assert (record == -7).all()


def test_a_drawing_has_a_line_for_each_core_and_each_merge():
    tiles = row_tiles([[5 * TILE, 1]], [[3, 0]])
    assert tiles.tolist() == [[6, 1]]
    text = draw(read(plan(tiles, cores=2, split=True, heads=4), 8), tiles, width=8)
    assert text.splitlines() == [
        "7 tiles on 2 of 36 cores, at most 4 each",
        "core  0  ######        3  (0, 0, 0) to (0, 0, 3)",
        "core  1  ########      4  (0, 0, 3) to (1, 0, 0)",
        "merge batch 0 row 0, heads 0..1: 2 partial results from 0",
        "merge batch 0 row 0, heads 2..3: 2 partial results from 0",
    ]


def test_a_plan_with_a_gap_is_noticed():
    tiles = random_tiles(1)
    record = plan(tiles, 4)
    record[8 + 2] += 1  # the second core starts a row late
    with pytest.raises(AssertionError):
        check_plan(record, tiles, 4, False, 8, heads=64)
    assert sum(loads_of(read(record, 8), tiles)) < tiles[tiles > 0].sum()
