"""What each target offers: contract files, in the order they are tried."""

from . import host, lightning_indexer

CONTRACT_FILES = [
    host,
    lightning_indexer,
]

CONTRACTS = [contract for file in CONTRACT_FILES for contract in file.CONTRACTS]
TARGETS = ("host", "ascend950", "a3", "a2")
