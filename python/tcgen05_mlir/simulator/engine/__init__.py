"""Runs translated kernels: groups of lanes, warps, clusters, the grid."""
