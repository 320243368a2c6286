// The `bout` command of the package that ladders serve: the commands of authors.

import "./polyfills.ts";
import { readFile } from "node:fs/promises";

import { versionLine } from "#server/composition/versions.ts";

import { AUTHOR_COMMANDS } from "./commands.ts";
import { runProgram } from "./main.ts";

async function version(): Promise<string> {
  const text = await readFile(new URL("package.json", import.meta.url), "utf8");
  return versionLine((JSON.parse(text) as { version: string }).version);
}

await runProgram(
  { groups: [{ title: "Commands", commands: AUTHOR_COMMANDS }], version },
  process.argv.slice(2),
);
