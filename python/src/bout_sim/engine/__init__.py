"""The fight alone: state, rules and stages, without files, clock or output."""
