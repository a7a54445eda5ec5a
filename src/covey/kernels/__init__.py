"""Compiled functions: arrays in, arrays out. The only numba in the project."""
