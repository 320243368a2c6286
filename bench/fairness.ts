// Compares ratings and pairing with known bot strengths. See docs/fairness.md.

export { runFairnessReport } from "#testing/fairness/report.ts";
