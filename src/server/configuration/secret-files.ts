// Secrets read from files, which keeps them out of the process list: --smtp-file for --smtp.

import { UsageError } from "./flag-values.ts";
import { readPrivateSync } from "./private-file.ts";

/** Flags that also exist as `--NAME-file`. */
export const FILE_SECRETS = ["database", "smtp", "registration-key"] as const;

/**
 * Returns the secret from `value` or from the file at `path`, without the newline that ends the
 * file; undefined if neither is given. Throws a UsageError if both are, or if the file is wrong.
 */
export function secretFrom(
  name: string,
  value: string | undefined,
  path: string | null,
): string | undefined {
  if (path === null) return value;
  if (value !== undefined)
    throw new UsageError(`--${name} and --${name}-file are both given, as flags or as variables`);
  return readPrivateSync(`${name}-file`, path).replace(/\r?\n$/, "");
}

/** The text of a flag, and where it came from: the flag, its variable or a file. */
export type GivenValue = { value: string; source: string };

/** Adds the secrets whose files are named. Throws a UsageError as `secretFrom`. */
export function addFileSecrets(values: Map<string, GivenValue>): void {
  for (const name of FILE_SECRETS) {
    const path = values.get(`${name}-file`)?.value ?? null;
    const value = secretFrom(name, values.get(name)?.value, path);
    if (path !== null && value !== undefined)
      values.set(name, { value, source: `--${name}-file ${path}` });
  }
}
