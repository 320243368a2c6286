#!/usr/bin/env node
// Runs on every Node, so that an old one gets a sentence instead of ERR_UNKNOWN_FILE_EXTENSION.

const needed = 26;
const [major] = process.versions.node.split(".");
if (Number(major) < needed) {
  // oxlint-disable-next-line no-console
  console.error(
    `bout needs Node ${needed}; this is ${process.version}. npm ci installs that Node: call npx bout.`,
  );
  process.exitCode = 2;
} else await import("./bout.ts");
