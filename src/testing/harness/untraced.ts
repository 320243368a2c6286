// Loaded before each test file. The test runner follows every promise back to its test, which takes
// half the processor time of a simulated ladder. It needs that only to name the test of a stray
// error; without it, such an error fails the file.

import asyncHooks from "node:async_hooks";

const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
