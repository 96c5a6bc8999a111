"""Who stands behind the ports: one folder a technology. Adapters never import each other."""
