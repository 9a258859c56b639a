"""Documents become corpus Markdown: one module per source format, one writer for all."""
