// Reads files that hold secrets. Only their owner may read them, and no message repeats their
// content.

import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { notJson, parseJson } from "#base/units/json-text.ts";

import { UsageError } from "./flag-values.ts";

const GROUP_READ = 0o040;
const OTHERS_ACCESS = 0o077;
const BYTE_ORDER_MARK = "\ufeff";

/** Returns the text of the file that a flag names. Throws a UsageError if others can read it. */
export function readPrivateSync(flag: string, path: string): string {
  try {
    if (isExposed(path, statSync(path).mode))
      throw wrong(flag, path, `others can read it: chmod 600 ${path}`);
    const content = readFileSync(path, "utf8");
    return content.startsWith(BYTE_ORDER_MARK) ? content.slice(1) : content;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw wrong(flag, path, `it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Returns the value of the JSON file that a flag names. */
export async function readPrivateJson(flag: string, path: string): Promise<unknown> {
  const json = parseJson(readPrivateSync(flag, path));
  if ("place" in json) throw wrong(flag, path, `it ${notJson(json.place)}`);
  return json.value;
}

/**
 * systemd may grant a service its credentials by an ACL, which `stat` shows as read permission of
 * the group. Their folder is private to the service.
 */
function isExposed(path: string, mode: number): boolean {
  const credentials = process.env["CREDENTIALS_DIRECTORY"];
  const isCredential = credentials !== undefined && dirname(resolve(path)) === credentials;
  return (mode & (isCredential ? OTHERS_ACCESS & ~GROUP_READ : OTHERS_ACCESS)) !== 0;
}

export const wrong = (flag: string, path: string, problem: string) =>
  new UsageError(`--${flag} ${path}: ${problem}`);
