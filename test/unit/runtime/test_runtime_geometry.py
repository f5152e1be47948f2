"""Grid, block and cluster: where they come from, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tcgen05_mlir.runtime import KernelInfo
from tcgen05_mlir.runtime.geometry import check_pair, launch_sizes
from whole import whole

FREE = KernelInfo("free")
FIXED = KernelInfo(
    "fixed",
    grid=(4, 1, 1),
    block=(128, 1, 1),
    cluster=(2, 1, 1),
    required_block=(128, 1, 1),
    required_cluster=(2, 1, 1),
)


@pytest.mark.parametrize(
    ("kernel", "given", "wanted"),
    [
        (FREE, (None, 32, None), ((1, 1, 1), (32, 1, 1), (1, 1, 1))),
        (FREE, (None, 32, 2), ((2, 1, 1), (32, 1, 1), (2, 1, 1))),
        (FREE, (6, (32, 2), (3,)), ((6, 1, 1), (32, 2, 1), (3, 1, 1))),
        (FREE, (np.int64(6), [8, 8, 8], None), ((6, 1, 1), (8, 8, 8), (1, 1, 1))),
        (FREE, ((2**31 - 1, 65535, 65535), 1024, None), ((2**31 - 1, 65535, 65535), (1024, 1, 1))),
        (FREE, ((4, 4), 1, (4, 4)), ((4, 4, 1), (1, 1, 1), (4, 4, 1))),
        (FIXED, (None, None, None), ((4, 1, 1), (128, 1, 1), (2, 1, 1))),
        (FIXED, (8, 128, 2), ((8, 1, 1), (128, 1, 1), (2, 1, 1))),
    ],
)
def test_sizes(kernel: KernelInfo, given: Any, wanted: Any) -> None:
    assert launch_sizes(kernel, *given)[: len(wanted)] == wanted


@pytest.mark.parametrize(
    ("kernel", "given", "message"),
    [
        (
            FREE,
            (None, None, None),
            "'block' must be given: kernel 'free' does not state its block size (nvvm.reqntid)",
        ),
        (FREE, (0, 1, None), "'grid' must be one to three positive numbers, got 0"),
        (FREE, (1, (), None), "'block' must be one to three positive numbers, got ()"),
        (
            FREE,
            (1, (1, 1, 1, 1), None),
            "'block' must be one to three positive numbers, got (1, 1, 1, 1)",
        ),
        (FREE, (1.0, 1, None), "'grid' must be one to three positive numbers, got 1.0"),
        (FREE, (True, 1, None), "'grid' must be one to three positive numbers, got True"),
        (FREE, ("1", 1, None), "'grid' must be one to three positive numbers, got '1'"),
        (FREE, (1, 1025, None), "'block' must have at most 1024 threads, got 1025,1,1"),
        (FREE, (1, (32, 32, 2), None), "'block' must have at most 1024 threads, got 32,32,2"),
        (FREE, (1, (1, 1, 65), None), "'block' must be at most 1024,1024,64, got 1,1,65"),
        (
            FREE,
            (2**31, 1, None),
            "'grid' must be at most 2147483647,65535,65535, got 2147483648,1,1",
        ),
        (
            FREE,
            ((1, 65536), 1, None),
            "'grid' must be at most 2147483647,65535,65535, got 1,65536,1",
        ),
        (FREE, (17, 1, 17), "'cluster' must have at most 16 blocks, got 17,1,1"),
        (FREE, (3, 1, 2), "'grid' must be a multiple of the cluster 2,1,1, got 3,1,1"),
        (FREE, ((2, 3), 1, (1, 2)), "'grid' must be a multiple of the cluster 1,2,1, got 2,3,1"),
        (
            FIXED,
            (None, 64, None),
            "'block' must be 128,1,1, which the kernel requires (nvvm.reqntid), got 64,1,1",
        ),
        (
            FIXED,
            (None, None, 4),
            "'cluster' must be 2,1,1, which the kernel requires (nvvm.cluster_dim), got 4,1,1",
        ),
    ],
)
def test_sizes_that_are_refused(kernel: KernelInfo, given: Any, message: str) -> None:
    with pytest.raises(ValueError, match=whole(message)):
        launch_sizes(kernel, *given)


def test_d03_pairs_need_an_even_cluster() -> None:
    check_pair("k", True, (2, 1, 1))
    check_pair("k", True, (3, 2, 1))
    check_pair("k", False, (3, 1, 1))
    with pytest.raises(
        ValueError,
        match=whole(
            "'cluster' must hold pairs of blocks, since kernel 'k' uses cta_group::2, "
            "got 3,1,1 [P2]"
        ),
    ):
        check_pair("k", True, (3, 1, 1))


def test_as_text() -> None:
    sizes = launch_sizes(FIXED, None, None, None)
    assert str(sizes) == "grid 4,1,1, block 128,1,1, cluster 2,1,1"
    assert (sizes.blocks, sizes.threads) == (4, 128)
