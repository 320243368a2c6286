// The worker of `bout sim` in the package.

import "./polyfills.ts";
import "#tools/local/sim-worker.ts";
