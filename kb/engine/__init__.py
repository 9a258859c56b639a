"""Rules that can be run: clauses, procedures, worked examples, odds."""
