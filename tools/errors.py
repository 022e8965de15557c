"""What the commands of `sparse-attn` raise."""

from __future__ import annotations


class UserError(Exception):
    """The input is wrong: the text says how and what to do; it is shown without a stack."""
