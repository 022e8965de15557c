"""The machines a kernel op may be aimed at, and the Ascend products that no kernel here supports.

`host` is the CPU implementation of the same operators. The three chips are the ones the operator documents list as
supported by at least one kernel; every other product is refused by its name, so that a user of one learns that
waiting will not help.
"""

HOST = "host"
ASCEND950 = "ascend950"
A3 = "a3"
A2 = "a2"

CHIPS = (ASCEND950, A3, A2)
TARGETS = (HOST, *CHIPS)

PRODUCTS = {
    HOST: "this machine's CPU",
    ASCEND950: "Ascend 950PR / Ascend 950DT",
    A3: "Atlas A3 training and inference products",
    A2: "Atlas A2 training and inference products",
}

UNSUPPORTED_PRODUCTS = {
    "atlas_200i_500_a2": "Atlas 200I/500 A2 inference products",
    "atlas_inference": "Atlas inference products",
    "atlas_training": "Atlas training products",
}


def product(target: str) -> str:
    """The product name a target word stands for; unknown words stand for themselves."""
    return PRODUCTS.get(target) or UNSUPPORTED_PRODUCTS.get(target) or repr(target)


def problem_with_target(target: str) -> str | None:
    """Why `target` names no machine at all, or None when it is one of `TARGETS`."""
    if target in TARGETS:
        return None
    if target in UNSUPPORTED_PRODUCTS:
        return f"target is {product(target)}, which no kernel here supports"
    return f"target is {target!r}, not one of {', '.join(TARGETS)}"
