// Reads the command of `npm start`, so that benchmarks and the build start the server in the same
// way.

import { readFileSync } from "node:fs";
import { join } from "node:path";

type StartCommand = {
  env: Readonly<Record<string, string>>;
  nodeFlags: readonly string[];
};

const PACKAGE = join(import.meta.dirname, "../package.json");

export function startCommand(): StartCommand {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { scripts: { start: string } };
  const commandParts = scripts.start.replace(/^exec env /, "").split(" ");
  const nodeIndex = commandParts.indexOf("node");
  const scriptIndex = commandParts.findIndex((part) => part.endsWith(".ts"));
  return {
    env: Object.fromEntries(
      commandParts.slice(0, nodeIndex).map((part) => part.split("=", 2) as [string, string]),
    ),
    nodeFlags: commandParts.slice(nodeIndex + 1, scriptIndex),
  };
}
