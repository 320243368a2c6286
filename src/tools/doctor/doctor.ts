// All that a server needs, looked at one after another; what waits for others, together.

import type { Holding } from "#data/access/server-lock.ts";
import { readFiles } from "#server/configuration/files.ts";
import { UsageError } from "#server/configuration/flag-values.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";

import { addressOf, lookAtAddress } from "./address.ts";
import { lookAtDatabase, lookAtFolderLock } from "./database.ts";
import { failure, fine, looked } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { lookAtDisk } from "./disk.ts";
import { lookAtClock, lookAtLimits } from "./machine.ts";
import { lookAtMail } from "./mail.ts";
import { lookAtProvider } from "./provider.ts";
import { lookAtQueues } from "./queues.ts";

/** Never rejects for what it finds. Writes one small file into the data folder, and removes it. */
export async function examine(
  options: ServeOptions,
  environment: NodeJS.ProcessEnv,
  tell: (news: string) => void,
): Promise<Diagnosis[]> {
  tell("files and disk");
  const files = await looked("files", () => lookAtFiles(options, environment));
  const disk = await looked("disk", () => lookAtDisk(options.data));
  let holding: Holding = { isHeld: false };
  const server = await looked("server", () => {
    const { holding: found, finding } = lookAtFolderLock(options.data);
    holding = found;
    return [finding];
  });
  const running = holdingServer(holding);
  const limits = await looked("limits", () => lookAtLimits(options["max-concurrent"], running));
  tell("clock, mail, accounts, addresses");
  const waiting = await Promise.all([
    looked("clock", lookAtClock),
    looked("mail", () => lookAtMail(options, addressOf(options, holding))),
    looked("accounts", () => lookAtProvider(options)),
    looked("address", () => lookAtAddress(options, holding)),
    looked("queues", () => lookAtQueues(options, holding, environment)),
  ]);
  tell("the database");
  const database = await lookAtDatabase(options);
  return [files, disk, server, limits, ...waiting, database].flat();
}

const holdingServer = (holding: Holding) => (holding.isHeld ? holding.holder : null);

async function lookAtFiles(
  options: ServeOptions,
  environment: NodeJS.ProcessEnv,
): Promise<Diagnosis[]> {
  try {
    await readFiles(options, environment);
    const named = [options.config, options.flags, options["sign-in"]].filter((one) => one !== null);
    return named.length === 0 ? [] : [fine("files", `${named.join(", ")} can be read`)];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [failure("files", error.message, "Mend it: no server starts with it.")];
  }
}
