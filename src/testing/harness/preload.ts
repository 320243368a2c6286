// Loaded before each test file.

import asyncHooks from "node:async_hooks";

import "./quick-imports.ts";

// The test runner follows every promise back to its test, which takes half the processor time of a
// simulated ladder. It needs that only to name the test of a stray error; without it, such an error
// fails the file.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });

// The runner ends a file that takes too long with SIGTERM, which a server under test takes for its own
// stop and outlives. The runner would wait for it without end.
const LONGEST_MS = Number(process.env["TEST_FILE_LONGEST_MS"] ?? 510_000);
const end = (): never => {
  process.stderr.write("this test file did not end, and is ended here\n");
  process.exit(1);
};
setTimeout(end, LONGEST_MS).unref();
