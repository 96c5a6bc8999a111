"""What one can do with knowledge, and what a text is made of: lines, sections, leaves, nodes."""
