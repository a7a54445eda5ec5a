import subprocess
import sys

import pytest

import covey.datasets as datasets


def test_every_public_name_is_there():
    assert all(getattr(datasets, name) is not None for name in datasets.__all__)
    assert set(datasets.__all__) <= set(dir(datasets))
    assert sorted(datasets.__all__) == sorted(datasets._MODULES)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match=r"module 'covey.datasets' has no attribute 'nonsense'"):
        datasets.nonsense


def test_importing_the_package_is_cheap():
    code = "import sys, covey.datasets; print(sorted({'numpy', 'pandas', 'sklearn'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
