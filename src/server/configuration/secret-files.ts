// Reads secrets from files, for example --smtp-file in place of --smtp. This keeps them out of the
// process list.

import { UsageError } from "./flag-values.ts";
import { readPrivateFile } from "./private-file.ts";

export const FILE_SECRETS = ["database", "smtp", "registration-key"] as const;

/**
 * Returns the secret from `value` or from the file at `path`, without a final newline. Returns
 * undefined if neither is set. Throws a UsageError if both are set or the file is invalid.
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

/** A flag's text and where it comes from: the flag, its environment variable or a file. */
export type FlagValue = { value: string; source: string };

/**
 * Adds secrets from the files named by flags. Throws a UsageError as described for
 * `readFlagSecret`.
 */
export function addFileSecrets(values: Map<string, FlagValue>): void {
  for (const name of FILE_SECRETS) {
    const path = values.get(`${name}-file`)?.value ?? null;
    const value = readFlagSecret(name, values.get(name)?.value, path);
    if (path !== null && value !== undefined)
      values.set(name, { value, source: `--${name}-file ${path}` });
  }
}
