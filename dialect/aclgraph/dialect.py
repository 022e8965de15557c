"""The dialect `aclgraph`: which functions are captured as graphs, and where these are replayed."""

from torch_mlir.dialects import ext


class AclGraph(ext.Dialect, name="aclgraph"):
    """Capture and replay of functions over memory that stays where it is."""
