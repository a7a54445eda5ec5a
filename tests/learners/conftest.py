"""What tests of learners share."""

import pytest

from learners.examples import VARIANTS


@pytest.fixture(params=VARIANTS.values(), ids=VARIANTS)
def variant(request):
    return request.param
