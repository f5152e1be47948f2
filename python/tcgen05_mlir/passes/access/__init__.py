"""Parts of `tcgen05-expand-access`: loads and stores through views of shared memory."""
