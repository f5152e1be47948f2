"""Parts of `convert-tcgen05-to-nvvm`: what the IR says of a copy, and the operations it becomes."""
