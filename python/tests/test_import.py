"""What `import perpend` does, and leaves for later."""

import subprocess
import sys

import pytest

import perpend


def test_import_alone_does_not_import_scikit_learn():
    code = "import sys, perpend; assert 'sklearn' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_public_name_is_there():
    assert "LITClassifier" in perpend.__all__ and set(perpend.__all__) <= set(dir(perpend))
    for name in perpend.__all__:
        assert getattr(perpend, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nothing_like_it"):
        perpend.nothing_like_it
