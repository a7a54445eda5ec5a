"""Artificial data of the papers: one ``make_*`` function per generator, returning ``(X, y)``.

Behind each generator is a task that knows its true distribution: it draws samples and, for classification, gives the
posterior class probabilities, the Bayes-optimal rule and the Bayes error.
"""
