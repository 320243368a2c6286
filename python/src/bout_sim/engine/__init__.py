"""The engine: state, rules and stages, without files, clock or output."""
