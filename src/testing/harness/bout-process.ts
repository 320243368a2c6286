import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const BOUT_SCRIPT = fileURLToPath(new URL("../../../bin/bout.ts", import.meta.url));

export type ProcessResult = { code: number | null; out: string; err: string };

/** Runs a command in `cwd` with `input` on stdin, and waits until it exits. */
export async function runBout(
  args: readonly string[],
  input = "",
  cwd = process.cwd(),
  variables: Readonly<Record<string, string>> = {},
): Promise<ProcessResult> {
  const env = { ...process.env, NO_COLOR: "1", ...variables };
  const child = spawn(process.execPath, [BOUT_SCRIPT, ...args], { cwd, env });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const closeEvent = once(child, "close") as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closeEvent,
  ]);
  return { code, out, err };
}

/** Creates a folder that is removed after the file's tests. */
export function temporaryTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bout-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
