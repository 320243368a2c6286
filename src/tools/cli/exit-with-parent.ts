// Preloaded into a process that must not outlive its parent. Its stdin is a pipe that closes when
// the parent exits. Worker threads also load this file, but do nothing.

import { isMainThread } from "node:worker_threads";

if (isMainThread) process.stdin.on("close", () => process.exit()).resume();
