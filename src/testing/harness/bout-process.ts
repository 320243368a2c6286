// The `bout` command as a real child process, for tests.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const BOUT = fileURLToPath(new URL("../../../bin/bout.ts", import.meta.url));

export type Finished = { code: number | null; out: string; err: string };

/** Runs a command to completion in `cwd`, with `input` on its stdin. */
export async function runBout(
  args: readonly string[],
  input = "",
  cwd = process.cwd(),
  variables: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const env = { ...process.env, NO_COLOR: "1", ...variables };
  const child = spawn(process.execPath, [BOUT, ...args], { cwd, env });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const ended = once(child, "close") as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

/** A folder that is removed after the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bout-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
