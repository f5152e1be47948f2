"""Which instructions the operations of device code become, and whether the chip has them (T11)."""
