#!/usr/bin/env node
// Plain JavaScript, so that old versions of Node print a clear error instead of
// ERR_UNKNOWN_FILE_EXTENSION.

const needed = 26;
const [major] = process.versions.node.split(".");
if (Number(major) < needed) {
  console.error(
    `bout needs Node ${needed}; this is ${process.version}. npm ci installs that Node: call npx bout.`,
  );
  process.exitCode = 2;
} else await import("./bout.ts");
