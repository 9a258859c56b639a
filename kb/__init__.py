"""Rules KB: cited answers to tabletop rules questions, proved by worked examples."""
