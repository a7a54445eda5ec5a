"""
A sphere cover, seen
====================

A random sphere cover draws a training case, puts a sphere around it that reaches up to the closest case of another
class, sets aside the cases that it holds, and goes on until all are covered. A new case takes the class of the sphere
it falls into, or of the sphere whose edge is closest.
"""

# %%
# Two columns of iris. Spheres are circles in coordinates scaled to [0, 1], and here alpha = 3: spheres that hold fewer
# cases of their class are dropped.

from covey import SphereCoverClassifier
from covey.datasets import load
from covey.plots import cover_map, draw_cover

columns = ["petal length (cm)", "petal width (cm)"]
X, y = load("iris").to_xy()
picture = cover_map(X, y, SphereCoverClassifier(3, random_state=0), columns=columns)
draw_cover(picture)

# %%
# Fewer spheres than cases: the cover is a summary of the data.

model = SphereCoverClassifier(3, random_state=0).fit(X[columns], y)
print(
    f"{len(model.radii_)} spheres for {len(X)} cases: {model.compression_:.2f} spheres per case"
)

# %%
# Why was a case given its class? Which sphere decided it, by which rule, at what distance, and which training cases
# that sphere holds:

model.explain(X[columns].iloc[[0, 70, 133]])[
    ["prediction", "rule", "sphere", "distance", "radius", "size"]
]
