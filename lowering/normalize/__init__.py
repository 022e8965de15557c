"""Many spellings, one form: terms over elements, and the rules that produce them.

A rule is one function for one or a few ops; adding a spelling means adding one rule. Importing this package registers
all of them. What the matchers then ask of a term, a canonical form or an index predicate, stands in the reading files.
"""

from . import arithmetic, boundary, bounds, counts, distinct, forms, indexing, layout, masks, membership

RULE_FILES = [layout, arithmetic, indexing, boundary]
READING_FILES = [forms, masks, counts, membership, bounds, distinct]
