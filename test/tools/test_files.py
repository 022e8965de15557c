"""Files are written whole or not at all."""

import pytest

from sparse_attn.tools.files import write_whole


def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, "ö\n")
    write_whole(path, "two\n")
    assert path.read_bytes() == b"two\n" and list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_an_os_error(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        write_whole(tmp_path / "absent" / "a.txt", "x")
