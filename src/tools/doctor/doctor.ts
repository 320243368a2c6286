// Runs all checks. Those that wait for other services run in parallel; the report keeps a fixed
// order.

import type { LockStatus } from "#data/credentials/server-lock.ts";
import { UsageError } from "#server/configuration/flag-values.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { readNamedFiles } from "#server/configuration/named-files.ts";

import { publicAddress, checkAddress } from "./address-check.ts";
import { checkDatabase, checkFolderLock } from "./database-check.ts";
import { failDiagnosis, okDiagnosis, runCheck } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { checkDisk } from "./disk-check.ts";
import { checkClock, checkLimits } from "./machine-check.ts";
import { checkMailServer } from "./mail-server-check.ts";
import { checkProvider } from "./provider-check.ts";
import { checkQueues } from "./queue-check.ts";

/**
 * Doesn't reject because of problems. Writes a small file into the data folder and removes it
 * again.
 */
export async function runAllChecks(
  options: ServeOptions,
  environment: NodeJS.ProcessEnv,
  reportProgress: (statusText: string) => void,
): Promise<Diagnosis[]> {
  reportProgress("files and disk");
  const files = await runCheck("files", () => checkFiles(options, environment));
  const disk = await runCheck("disk", () => checkDisk(options.data));
  let holding: LockStatus = { isLocked: false };
  const server = await runCheck("server", () => {
    const { holding: found, finding } = checkFolderLock(options.data);
    holding = found;
    return [finding];
  });
  const running = runningServer(holding);
  const limits = await runCheck("limits", () => checkLimits(options["max-concurrent"], running));
  reportProgress("clock, mail, accounts, addresses");
  const networkFindings = await Promise.all([
    runCheck("clock", checkClock),
    runCheck("mail", () => checkMailServer(options, publicAddress(options, holding))),
    runCheck("accounts", () => checkProvider(options)),
    runCheck("address", () => checkAddress(options, holding)),
    runCheck("queues", () => checkQueues(options, holding, environment)),
  ]);
  reportProgress("the database");
  const database = await checkDatabase(options);
  return [files, disk, server, limits, ...networkFindings, database].flat();
}

const runningServer = (holding: LockStatus) => (holding.isLocked ? holding.holder : null);

async function checkFiles(
  options: ServeOptions,
  environment: NodeJS.ProcessEnv,
): Promise<Diagnosis[]> {
  try {
    await readNamedFiles(options, environment);
    const configFiles = [options.config, options.flags, options["sign-in"]].filter(
      (one) => one !== null,
    );
    return configFiles.length === 0
      ? []
      : [okDiagnosis("files", `${configFiles.join(", ")} are valid`)];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [failDiagnosis("files", error.message, "Fix the file: the server won't start with it.")];
  }
}
