// Ratings and pairing against the truth: docs/fairness.md.

export { run } from "#testing/fairness/report.ts";
