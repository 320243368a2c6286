"""Tests of bout_sim. They run in a checkout of the project, with the standard library alone."""
