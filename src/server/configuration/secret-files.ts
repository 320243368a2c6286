// Reads secrets from files, which keeps them out of the process list: --smtp-file for --smtp.

import { UsageError } from "./flag-values.ts";
import { readPrivateFile } from "./private-file.ts";

/** Flags that also exist as `--NAME-file`. */
export const FILE_SECRETS = ["database", "smtp", "registration-key"] as const;

/**
 * Returns the secret from `value` or the file at `path`, without a final newline; undefined if
 * neither is given. Throws a UsageError if both are given or the file is invalid.
 */
export function readFlagSecret(
  name: string,
  value: string | undefined,
  path: string | null,
): string | undefined {
  if (path === null) return value;
  if (value !== undefined)
    throw new UsageError(`--${name} and --${name}-file are both given, as flags or as variables`);
  return readPrivateFile(`${name}-file`, path).replace(/\r?\n$/, "");
}

/** The text of a flag and its source: the flag, its variable or a file. */
export type FlagValue = { value: string; source: string };

/** Adds the secrets from named files. Throws a UsageError like `readFlagSecret`. */
export function addFileSecrets(values: Map<string, FlagValue>): void {
  for (const name of FILE_SECRETS) {
    const path = values.get(`${name}-file`)?.value ?? null;
    const value = readFlagSecret(name, values.get(name)?.value, path);
    if (path !== null && value !== undefined)
      values.set(name, { value, source: `--${name}-file ${path}` });
  }
}
