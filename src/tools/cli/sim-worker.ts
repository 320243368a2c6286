import "./polyfills.ts";
import "#tools/local-match/sim-worker.ts";
