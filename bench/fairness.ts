// Compares ratings and pairing with known strengths: docs/fairness.md.

export { runFairnessReport } from "#testing/fairness/report.ts";
