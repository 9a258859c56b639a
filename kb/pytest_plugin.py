"""Collects a game's worked examples as tests."""
