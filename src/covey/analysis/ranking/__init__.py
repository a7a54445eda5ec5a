"""Rankings: the methods of a study on one dataset and over several, how sure their order is, and that in sentences."""
