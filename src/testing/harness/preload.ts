// Loaded before each test file.

import asyncHooks from "node:async_hooks";

import "./fast-module-resolution.ts";

// The test runner tracks which test each promise belongs to, so that it can name the test that
// caused a stray error. Tracking takes half the CPU time of a simulated ladder. Without it, a stray
// error fails the whole file.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });

// The runner stops a slow file with SIGTERM. A server under test treats SIGTERM as a request to
// shut down, so the process would survive and the runner would wait forever.
const MAX_FILE_MS = Number(process.env["TEST_FILE_LONGEST_MS"] ?? 510_000);
const abortFile = (): never => {
  process.stderr.write("test file timed out; stopping\n");
  process.exit(1);
};
setTimeout(abortFile, MAX_FILE_MS).unref();
