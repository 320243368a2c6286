import { countInconsistentDays } from "#data/daily-stats/daily-counts.ts";
import { toStoreError } from "#data/store/errors.ts";

import { countUnknownEntries } from "./audit.ts";
import { countInconsistentOwners } from "./bot.ts";
import type { Backend } from "./database-backend.ts";
import { findMatchInconsistencies } from "./match.ts";
import { countWrongOpponents, countWrongAllTime } from "./opponent.ts";
import { countWrongPairs } from "./pair-counts.ts";

export async function checkIntegrity(backend: Backend): Promise<string[]> {
  const faults = await backend.faults(backend.database);
  return [...faults, ...(await findInconsistencies(backend))];
}

async function findInconsistencies({ database }: Backend): Promise<string[]> {
  try {
    const pairs = await countWrongPairs(database);
    const opponents = await countWrongOpponents(database);
    const {
      seatless: missingSeats,
      contrary: contradictory,
      rated: wrongRatings,
      tallies,
    } = await findMatchInconsistencies(database);
    const allTimeResults = await countWrongAllTime(database);
    const owners = await countInconsistentOwners(database);
    const days = await countInconsistentDays(database);
    const entries = await countUnknownEntries(database);
    return [
      ...faultLine(pairs, "pair counts differ from a recount"),
      ...faultLine(opponents, "results against opponents differ from a recount"),
      ...faultLine(allTimeResults, "all-time results differ from a recount"),
      ...faultLine(missingSeats, "matches lack a seat"),
      ...faultLine(contradictory, "matches are inconsistent"),
      ...faultLine(wrongRatings, "seats have ratings that don't fit their match"),
      ...faultLine(owners, "bots have an invalid owner"),
      ...faultLine(entries, "audit entries have an unknown kind"),
      ...faultLine(days, "daily totals differ from a recount"),
      ...faultLine(tallies, "ladder tallies differ from a recount"),
    ];
  } catch (error) {
    const { code, message } = toStoreError(error);
    if (code !== "damaged") throw error;
    return [message];
  }
}

function faultLine(count: number, description: string): string[] {
  return count === 0 ? [] : [`${count} ${description}`];
}
