// The files that flags name. They are read before a start touches anything.

import type { SocialProvider } from "#outside/identity/deps.ts";

import { readConfig } from "./config-file.ts";
import type { Config } from "./config-file.ts";
import { readFlags } from "./event-flags.ts";
import type { FlagTexts } from "./event-flags.ts";
import type { ServeOptions } from "./flags.ts";
import { readSignInFile } from "./sign-in-file.ts";

export type NamedFiles = {
  config: Config;
  flagTexts: FlagTexts;
  social: readonly SocialProvider[];
};

/** Rejects with a UsageError if one of them is not right. */
export async function readFiles(
  { config, flags, "sign-in": signIn }: ServeOptions,
  environment: NodeJS.ProcessEnv,
): Promise<NamedFiles> {
  return {
    config: await readConfig(config, environment),
    flagTexts: await readFlags(flags),
    social: signIn === null ? [] : await readSignInFile(signIn),
  };
}
