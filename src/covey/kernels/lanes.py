"""How many cases kernels lay side by side for one instruction to reckon with, and how large their numbers may be."""

LANES = 64

# A sum of squares in float32 must not come near the largest number there is.
LARGEST_SUM = 1e37
