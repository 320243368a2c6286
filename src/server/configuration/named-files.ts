import type { SocialProvider } from "#adapters/identity/identity-deps.ts";

import { readConfig } from "./config-file.ts";
import type { Config } from "./config-file.ts";
import { readEventFlags } from "./event-flags.ts";
import type { FlagTexts } from "./event-flags.ts";
import type { ServeOptions } from "./flags.ts";
import { readSignInFile } from "./sign-in-file.ts";

export type NamedFiles = {
  config: Config;
  flagTexts: FlagTexts;
  social: readonly SocialProvider[];
};

/**
 * Reads all files named by flags before startup changes anything. Rejects with a UsageError if a
 * file is invalid.
 */
export async function readNamedFiles(
  { config, flags, "sign-in": signIn }: ServeOptions,
  environment: NodeJS.ProcessEnv,
): Promise<NamedFiles> {
  return {
    config: await readConfig(config, environment),
    flagTexts: await readEventFlags(flags),
    social: signIn === null ? [] : await readSignInFile(signIn),
  };
}
