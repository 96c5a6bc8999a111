"""Move data between stores: export, import, and what other products export."""
