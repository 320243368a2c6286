#!/usr/bin/env node
// Plain JavaScript, so that old versions of Node print a clear error instead of a syntax error.
"use strict";

const oldest = 20;
const [major] = process.versions.node.split(".");
if (Number(major) < oldest) {
  console.error(
    `bout needs Node ${oldest} or newer; this is ${process.version}. Get it at nodejs.org.`,
  );
  process.exitCode = 2;
} else void import("./bout.js");
