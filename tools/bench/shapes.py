"""The shapes that are measured: DeepSeek-V4 and DeepSeek-V3.2 at their published head counts and sizes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Attention:
    """One attention call.

    `rows` query tokens of `batch` requests with `heads` heads of `width` channels, values of `value` channels, `groups`
    key heads; `keys` ordinary keys of which a row sees the last `window` (0: all earlier ones); `compressed` further
    keys, each made of `ratio` tokens (0: none); `picks` keys are listed per row (0: no list). `shared`: values are the
    first channels of the keys.
    """

    name: str
    batch: int
    rows: int
    heads: int
    groups: int
    width: int
    value: int
    keys: int
    window: int = 0
    compressed: int = 0
    ratio: int = 1
    picks: int = 0
    sinks: bool = False
    shared: bool = True

    @property
    def attended(self) -> int:
        """Keys of a row that the operator computes with, at most."""
        listed = min(self.picks, self.compressed or self.keys) if self.picks else self.compressed
        return listed + (min(self.window, self.keys) if self.window else 0)

    @property
    def flops(self) -> float:
        """Of the keys that are attended, and no others: the work that has to be done."""
        attended = 0
        for seen in _positions(self.keys, self.rows):
            attended += min(self.window, seen) if self.window else 0
            visible = seen if not self.compressed else _behind(self, seen) // self.ratio
            if self.picks or self.compressed:
                attended += min(self.picks, visible) if self.picks else visible
        return 2.0 * self.batch * self.heads * attended * (self.width + self.value)

    def nbytes(self, size: int) -> float:
        """Bytes that have to be moved: queries and results, and each key and value that some row attends once."""
        seen = min(self.keys + self.compressed, self.rows * self.attended)
        key = self.width + (0 if self.shared else self.value)
        return self.batch * size * (self.rows * self.heads * (self.width + self.value) + self.groups * seen * key)


@dataclass(frozen=True)
class Indexer:
    """One selection: `heads` heads of `width` channels score `keys` keys (each of `ratio` tokens), `picks` are kept."""

    name: str
    batch: int
    rows: int
    heads: int
    width: int
    keys: int
    picks: int
    ratio: int = 1

    @property
    def flops(self) -> float:
        """Of the scores of visible keys."""
        visible = sum(seen // self.ratio for seen in _positions(self.keys * self.ratio, self.rows))
        return 2.0 * self.batch * self.heads * visible * self.width

    def nbytes(self, size: int) -> float:
        """Bytes that have to be moved: queries and keys."""
        return self.batch * size * self.width * (self.rows * self.heads + self.keys)


Shape = Attention | Indexer
LENGTHS = {"quick": (256,), "standard": (2048,), "full": (2048, 8192, 32768)}
BATCHES = {"quick": (1,), "standard": (1, 8, 32), "full": (1, 8, 32)}
CONTEXTS = {"quick": (8192,), "standard": (8192, 32768), "full": (8192, 32768, 131072)}
SLOW = ("ratio 4 k=128", "ratio 128", "absorbed")
"""Left out of the quick level: compiling the peers of each shape takes longer than measuring it."""


def shapes(level: str) -> list[Shape]:
    """Everything a level measures: prompts of each length, then single tokens for each batch and context."""
    found: list[Shape] = []
    for length in LENGTHS[level]:
        found += _of(f"prompt {_short(length)}", 1, length, length)
    for batch in BATCHES[level]:
        for context in CONTEXTS[level]:
            found += _of(f"decode B={batch} {_short(context)}", batch, 1, context)
    return [shape for shape in found if level != "quick" or not any(name in shape.name for name in SLOW)]


def _of(where: str, batch: int, rows: int, context: int) -> list[Shape]:
    kept = context if rows > 1 else 128  # while decoding, only the window's keys are in the cache

    def v4(name: str, ratio: int, picks: int) -> Attention:
        title, made = f"attention V4 {name}, {where}", context // ratio
        return Attention(title, batch, rows, 64, 1, 512, 512, kept, 128, made, ratio, picks, True)

    return [
        Indexer(f"indexer V4 k=512, {where}", batch, rows, 64, 128, context // 4, 512, 4),
        Indexer(f"indexer V3.2 k=2048, {where}", batch, rows, 64, 128, context, 2048),
        v4("ratio 4 k=128", 4, 128),
        v4("ratio 4 k=512", 4, 512),
        v4("ratio 128", 128, 0),
        Attention(f"attention V3.2 absorbed k=2048, {where}", batch, rows, 128, 1, 576, 512, context, picks=2048),
        Attention(
            f"attention V3.2 k=2048, {where}", batch, rows, 128, 128, 192, 128, context, picks=2048, shared=False
        ),
    ]


def _positions(tokens: int, rows: int) -> range:
    """How many of the tokens each of the last rows may see."""
    return range(tokens - rows + 1, tokens + 1)


def _behind(shape: Attention, seen: int) -> int:
    """Tokens before a row of a call whose compressed keys cover more than its ordinary keys do."""
    return seen + shape.compressed * shape.ratio - shape.keys


def _short(length: int) -> str:
    return f"{length // 1024}k" if length % 1024 == 0 else str(length)
