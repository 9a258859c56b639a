"""Reads a situation out of a player's question into a procedure's input."""
