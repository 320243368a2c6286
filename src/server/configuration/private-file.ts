// Reads secret files. Only the owner may have access to a file, and messages never contain its
// content.

import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { invalidJsonText, parseJson } from "#base/util/parse-json.ts";

import { UsageError } from "./flag-values.ts";

const GROUP_READ = 0o040;
const OTHERS_ACCESS = 0o077;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Returns the content of the file named by a flag. Throws a UsageError if other users can read the
 * file.
 */
export function readPrivateFile(flag: string, path: string): string {
  try {
    if (isExposed(path, statSync(path).mode))
      throw invalidFile(flag, path, `other users can read it: chmod 600 ${path}`);
    const content = readFileSync(path, "utf8");
    return content.startsWith(BYTE_ORDER_MARK) ? content.slice(1) : content;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw invalidFile(flag, path, `it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/**
 * Returns the JSON value of the file named by a flag. Rejects with a UsageError if the file is
 * exposed or isn't valid JSON.
 */
export async function readPrivateJson(flag: string, path: string): Promise<unknown> {
  const json = parseJson(readPrivateFile(flag, path));
  if ("position" in json) throw invalidFile(flag, path, `it ${invalidJsonText(json.position)}`);
  return json.value;
}

/**
 * systemd may grant access to credentials through an ACL, which `stat` reports as group read
 * permission. The credentials folder itself is private to the service.
 */
function isExposed(path: string, mode: number): boolean {
  const credentials = process.env["CREDENTIALS_DIRECTORY"];
  const isCredential = credentials !== undefined && dirname(resolve(path)) === credentials;
  return (mode & (isCredential ? OTHERS_ACCESS & ~GROUP_READ : OTHERS_ACCESS)) !== 0;
}

export const invalidFile = (flag: string, path: string, problem: string) =>
  new UsageError(`--${flag} ${path}: ${problem}`);
