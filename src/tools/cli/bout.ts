// The `bout` command in the package that ladders serve. Contains only the author commands.

import "./polyfills.ts";
import { readFile } from "node:fs/promises";

import { versionLine } from "#server/composition/versions.ts";

import { AUTHOR_COMMANDS } from "./author-commands.ts";
import { runCli } from "./main.ts";

async function version(): Promise<string> {
  const text = await readFile(new URL("package.json", import.meta.url), "utf8");
  return versionLine((JSON.parse(text) as { version: string }).version);
}

await runCli(
  { groups: [{ title: "Commands", commands: AUTHOR_COMMANDS }], version },
  process.argv.slice(2),
);
