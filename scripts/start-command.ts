// How `npm start` runs the server: benches and the build run it in the same way.

import { readFileSync } from "node:fs";
import { join } from "node:path";

type StartCommand = {
  env: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  nodeFlags: readonly string[];
};

const PACKAGE = join(import.meta.dirname, "../package.json");

export function startCommand(): StartCommand {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { scripts: { start: string } };
  const words = scripts.start.replace(/^exec env /, "").split(" ");
  const node = words.indexOf("node");
  const program = words.findIndex((word) => word.endsWith(".ts"));
  return {
    env: Object.fromEntries(
      words.slice(0, node).map((word) => word.split("=", 2) as [string, string]),
    ),
    nodeFlags: words.slice(node + 1, program),
  };
}
