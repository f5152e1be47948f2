from __future__ import annotations

from collections.abc import Iterator

import pytest
from model_driver import ModelDriver, model_gpu
from tcgen05_mlir.runtime.driver import using


@pytest.fixture
def gpu() -> Iterator[ModelDriver]:
    """A model of a GPU, in place of the driver."""
    model = model_gpu()
    with using(model):
        yield model
    # What was made is given back, whatever the test did.
    assert {kind: count for kind, count in model.live.items() if count} == {} or model.broken
