// Does the replay of a match in an archive tell the same as the match?

import { versionNote } from "#tools/cli/replay-check.ts";
import type { CheckedReplay } from "#tools/cli/replay-check.ts";
import { mismatchWords } from "#tools/cli/replay-summary.ts";

import type { ArchivedMatch } from "./answers.ts";

/**
 * What is wrong with a checked replay, as a problem of its match; null for nothing. `isForeign`:
 * another engine recorded it, so how this one plays it proves nothing.
 */
export function replayProblem(
  match: ArchivedMatch,
  { replay, mismatch }: CheckedReplay,
): { problem: string | null; isForeign: boolean } {
  const isForeign = versionNote(replay.header) !== null;
  const other = differenceOf(match, replay);
  if (other !== null) return { problem: `has a replay of another ${other}`, isForeign };
  const isWrong = mismatch !== null && !isForeign;
  const words = isWrong ? `has a replay that is not genuine: ${mismatchWords(mismatch)}` : null;
  return { problem: words, isForeign };
}

/** The first thing in which they differ. Bots may have been renamed since. */
function differenceOf(match: ArchivedMatch, { header, result }: CheckedReplay["replay"]) {
  const winner = header.fighters.find(({ id }) => id === result.winner)?.bot_id ?? null;
  const seats = (bots: readonly (readonly [string, string])[]) => JSON.stringify(bots);
  const rows: [what: string, one: unknown, other: unknown][] = [
    ["match", match.id, header.match_id],
    ["ladder", match.ladder_id, header.ladder_id],
    ["map", match.map, header.map.name],
    ["seed", match.seed, header.seed],
    [
      "pair of bots",
      seats(match.bots.map(({ id, version }) => [id, version])),
      seats(header.fighters.map(({ bot_id, version }) => [bot_id, version])),
    ],
    ["winner", match.winner, winner],
    ["reason", match.reason, result.reason],
    ["length", match.final_tick, result.ticks],
  ];
  return rows.find(([, one, other]) => one !== other)?.[0] ?? null;
}
