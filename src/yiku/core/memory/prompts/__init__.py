"""What language models are asked about memories: one file a use case."""
