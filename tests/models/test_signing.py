"""The key by which a user's own files are known."""

import stat
import sys

import pytest
from sklearn.svm import SVC

from covey import load_model, save_model
from covey.models import signing
from models.files import X, Y, parts_of, write_parts

PARTS = [("model.json", b"{}"), ("arrays/float64.npy", b"123")]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_signature_is_that_of_its_parts_alone():
    signature = signing.sign(PARTS)
    assert len(signature) == 64
    assert signing.is_own(signature, PARTS)
    for other in (
        PARTS[::-1],
        PARTS[:1],
        [*PARTS, ("foreign/0", b"")],
        [("model.json", b"{} "), PARTS[1]],
        [("model.jso", b"n{}"), PARTS[1]],
    ):
        assert not signing.is_own(signature, other)
    assert not signing.is_own("", PARTS)
    assert not signing.is_own("é" * 64, PARTS)


def test_another_user_has_another_key(home, monkeypatch):
    signature = signing.sign(PARTS)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "other"))
    assert not signing.is_own(signature, PARTS)
    assert not signing.key_path().exists()  # reading makes no key
    assert signing.sign(PARTS) != signature


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_a_key_that_others_can_read_or_of_another_length_is_not_used():
    signature = signing.sign(PARTS)
    key = signing.key_path()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.chmod(0o644)
    assert not signing.is_own(signature, PARTS)
    assert signing.sign(PARTS) == ""
    key.chmod(0o600)
    key.write_bytes(b"")
    assert signing.sign(PARTS) == ""


def test_without_a_place_for_a_key_files_are_not_signed(home, path, stranger):
    home.write_text("no directory")
    assert signing.sign(PARTS) == ""
    save_model(SVC().fit(X, Y), path)
    assert "signature" not in parts_of(path)
    with pytest.raises(ValueError, match=r"give trust=\['sklearn'\]"):
        load_model(path)
    load_model(path, trust=["sklearn"])


def test_a_file_of_the_users_own_asks_for_no_trust_until_it_is_changed(path):
    save_model(SVC().fit(X, Y), path)
    load_model(path)
    parts = parts_of(path)
    write_parts(path, parts)  # another zip of the same parts
    load_model(path)
    write_parts(path, parts | {"model.json": parts["model.json"] + b" "})
    with pytest.raises(ValueError, match=r"give trust=\['sklearn'\]"):
        load_model(path)
