"""Parts of the footprint passes: what the IR asks of the model, and the answers as diagnostics."""
