import { describeVersionMismatch } from "#tools/author-commands/replay-check.ts";
import type { CheckedReplay } from "#tools/author-commands/replay-check.ts";
import { describeMismatch } from "#tools/author-commands/replay-summary.ts";

import type { ArchivedMatch } from "./response-schemas.ts";

/**
 * Returns the problem with a replay; null if there is none. `isForeign` means that the replay was
 * recorded by another engine, so simulating it proves nothing.
 */
export function checkArchivedReplay(
  match: ArchivedMatch,
  { replay, mismatch }: CheckedReplay,
): { problem: string | null; isOtherEngine: boolean } {
  const isOtherEngine = describeVersionMismatch(replay.header) !== null;
  const differingField = findDifference(match, replay);
  if (differingField !== null)
    return { problem: `has a replay of another ${differingField}`, isOtherEngine };
  const isNotGenuine = mismatch !== null && !isOtherEngine;
  const problemText = isNotGenuine
    ? `has a replay that is not genuine: ${describeMismatch(mismatch)}`
    : null;
  return { problem: problemText, isOtherEngine };
}

/** Returns the first difference. Ignores names, because bots may have been renamed since. */
function findDifference(match: ArchivedMatch, { header, result }: CheckedReplay["replay"]) {
  const winner = header.fighters.find(({ id }) => id === result.winner)?.bot_id ?? null;
  const formatSeats = (bots: readonly (readonly [string, string])[]) => JSON.stringify(bots);
  const rows: [what: string, one: unknown, other: unknown][] = [
    ["match", match.id, header.match_id],
    ["ladder", match.ladder_id, header.ladder_id],
    ["map", match.map, header.map.name],
    ["seed", match.seed, header.seed],
    [
      "pair of bots",
      formatSeats(match.bots.map(({ id, version }) => [id, version])),
      formatSeats(header.fighters.map(({ bot_id, version }) => [bot_id, version])),
    ],
    ["winner", match.winner, winner],
    ["reason", match.reason, result.reason],
    ["length", match.final_tick, result.ticks],
  ];
  return rows.find(([, recorded, differingField]) => recorded !== differingField)?.[0] ?? null;
}
