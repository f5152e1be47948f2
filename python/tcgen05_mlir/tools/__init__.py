"""The command lines: `tcgen05` and its subcommands, `tcgen05-opt`, `tcgen05-lsp-server`."""
