// Preloaded by a process that must not outlive its parent: its stdin is a pipe from there, which
// closes with the parent. Threads of the process load it too, and have no parent to watch.

import { isMainThread } from "node:worker_threads";

if (isMainThread) process.stdin.on("close", () => process.exit()).resume();
