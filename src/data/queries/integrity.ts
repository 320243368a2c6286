import { wrongDays } from "#data/days/daily.ts";
import { storeError } from "#data/store/errors.ts";

import { wrongEntries } from "./audit.ts";
import type { Backend } from "./backend.ts";
import { wrongOwners } from "./bot.ts";
import { wrongMatches } from "./match.ts";
import { wrongOpponents, wrongEver } from "./opponent.ts";
import { wrongPairCounts } from "./pair.ts";

/** Reads the whole database; one line for each fault found, empty when it is sound. */
export async function checkIntegrity(backend: Backend): Promise<string[]> {
  const faults = await backend.faults(backend.database);
  return [...faults, ...(await wrongFigures(backend))];
}

async function wrongFigures({ database }: Backend): Promise<string[]> {
  try {
    const pairs = await wrongPairCounts(database);
    const opponents = await wrongOpponents(database);
    const { seatless, contrary, rated, tallies } = await wrongMatches(database);
    const ever = await wrongEver(database);
    const owners = await wrongOwners(database);
    const days = await wrongDays(database);
    const entries = await wrongEntries(database);
    return [
      ...counted(pairs, "pair counts differ from a recount"),
      ...counted(opponents, "results against opponents differ from a recount"),
      ...counted(ever, "results of all seasons differ from a recount"),
      ...counted(seatless, "matches lack a seat"),
      ...counted(contrary, "matches contradict themselves"),
      ...counted(rated, "seats have ratings that their matches do not have"),
      ...counted(owners, "bots have an owner that they cannot have"),
      ...counted(entries, "audit entries are of no known kind"),
      ...counted(days, "sums of days differ from a recount"),
      ...counted(tallies, "ladder tallies differ from a recount"),
    ];
  } catch (error) {
    const { code, message } = storeError(error);
    if (code !== "damaged") throw error;
    return [message];
  }
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}
