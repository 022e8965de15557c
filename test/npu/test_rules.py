"""Every rule of the simulator says where it is from and how sure it is, and has a test that names it."""

import pathlib

import acl


def test_every_rule_has_a_source_and_a_certainty():
    for name, rule in acl.rules().items():
        assert rule["certainty"] in ("documented", "inferred"), name
        assert rule["source"] and rule["rule"] and rule["code"] > 0, name


def test_every_rule_is_named_in_a_test():
    text = "\n".join(path.read_text() for path in pathlib.Path(__file__).parent.glob("test_*.py"))
    missing = [name for name in acl.rules() if name not in text]
    assert missing == []


def test_the_table_of_codes_is_that_of_the_published_header(npu):
    header = pathlib.Path(npu.__file__).parent / "include" / "acl" / "error_codes" / "rt_error_codes.h"
    published = header.read_text()
    own = {rule["code"] for rule in acl.rules().values() if rule["code"] != 100000}  # ACL_ERROR_INVALID_PARAM
    assert [code for code in own if f" {code} " not in published] == []
