"""Many spellings, one form: terms over elements, and the rules that produce them.

A rule is one function for one or a few ops; adding a spelling means adding one rule. Importing this package registers
all of them.
"""

from . import arithmetic, boundary, indexing, layout

RULE_FILES = [layout, arithmetic, indexing, boundary]
