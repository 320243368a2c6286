#!/usr/bin/env node
// Runs on every Node, so that an old one gets a sentence instead of a syntax error.
"use strict";

const oldest = 20;
const [major] = process.versions.node.split(".");
if (Number(major) < oldest) {
  // oxlint-disable-next-line no-console
  console.error(
    `bout needs Node ${oldest} or newer; this is ${process.version}. Get it at nodejs.org.`,
  );
  process.exitCode = 2;
} else void import("./bout.js");
