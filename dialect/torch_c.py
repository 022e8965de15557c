"""torch_c has no Python classes. The bindings look for this module at each of its operations until they find one."""
