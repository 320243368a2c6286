// Preloaded into a process that must not outlive its parent. Its stdin is a pipe that closes when
// the parent exits. Threads of the process load this file too, and don't watch a parent.

import { isMainThread } from "node:worker_threads";

if (isMainThread) process.stdin.on("close", () => process.exit()).resume();
