// Explains a leaderboard by the listed games: which of them it counts, and where it is wrong even
// so.

import { sure } from "#base/units/sure.ts";
import type { BotId } from "#core/words/ids.ts";

import type { ListedMatch, ShownRow } from "./answers.ts";
import { computeBoard } from "./board.ts";
import type { ComputedBoard, PublicBots } from "./board.ts";
import { countMore, isRated } from "./count.ts";
import type { Count } from "./count.ts";
import { differencesOf } from "./difference.ts";
import type { Difference } from "./difference.ts";
import { uncountedGames } from "./moment.ts";

/** What was read at about the same time. */
export type Look = {
  shown: readonly ShownRow[];
  /** When the leaderboard was read, since 1970. */
  atMs: number;
  /** Matches not yet settled, newest first. */
  matches: readonly ListedMatch[];
};

export type BoardRules = {
  qualifyingGames: number;
  /** The standings were stored for good. */
  isFrozen: boolean;
};

export type Explanation = {
  count: Count;
  board: ComputedBoard;
  /** Games that ended just before the leaderboard was read and are not in it. */
  uncounted: ReadonlySet<string>;
  differences: Difference[];
};

/** Even a large leaderboard lags behind the list of matches by less than this. */
const BOARD_LAG_MS = 5000;

/** Up to this many versions, a leaderboard has exact deviations after every game. */
export const ALWAYS_EXACT_VERSIONS = 200;

/**
 * A larger leaderboard has exact deviations this long after its last game: the slowest pass is
 * over.
 */
const LONGEST_PASS_MS = 300_000;

/**
 * The explanation with the fewest differences. The leaderboard is right if all of them are
 * tolerated.
 */
export function explain(
  look: Look,
  settled: Count,
  known: PublicBots,
  rules: BoardRules,
): Explanation {
  const all = countMore(settled, look.matches);
  const shown = rules.isFrozen ? withPresentNames(look.shown, all) : look.shown;
  const held = rules.isFrozen ? withoutLater(known, shown, all) : known;
  const choices = uncountedGames(shown, all, rules.isFrozen ? [] : freshGames(look));
  let best: Explanation | null = null;
  for (const uncounted of choices) {
    const counted = look.matches.filter(({ id }) => !uncounted.has(id));
    const count = uncounted.size === 0 ? all : countMore(settled, counted);
    const board = computeBoard(count, held, rules);
    const isLarge = board.versions.size > ALWAYS_EXACT_VERSIONS;
    const isBetweenPasses = isLarge && !rules.isFrozen && wasPlayedLately(look);
    const differences = differencesOf(shown, board, isBetweenPasses);
    if (best === null || wrongs(differences) < wrongs(best.differences))
      best = { count, board, uncounted, differences };
    if (wrongs(differences) === 0) break;
  }
  return sure(best ?? undefined, "explanation");
}

/** The number of differences beyond the tolerance. */
export function wrongs(differences: readonly Difference[]): number {
  return differences.filter(({ tolerated }) => !tolerated).length;
}

function wasPlayedLately({ matches, atMs }: Look): boolean {
  const [newest] = matches;
  return newest !== undefined && Date.parse(newest.ended) > atMs - LONGEST_PASS_MS;
}

/** Rated games that a leaderboard may lack because they have only just ended. */
export function freshGames({ matches, atMs }: Look): ListedMatch[] {
  return matches.filter(
    (match) => !match.voided && isRated(match) && Date.parse(match.ended) > atMs - BOARD_LAG_MS,
  );
}

/**
 * Frozen standings keep the names of their time, while matches show present ones. An unknown name
 * belongs to the only version with this label and record.
 */
function withPresentNames(shown: readonly ShownRow[], { versions, bots }: Count): ShownRow[] {
  const known = new Set([...bots.values()].map(({ name }) => name));
  const listed = new Set(shown.map(({ name }) => name));
  const nameOf = (botId: BotId) => sure(bots.get(botId), "bot").name;
  return shown.map((row) => {
    if (known.has(row.name)) return row;
    const same = [...versions.values()].filter(
      ({ botId, label, wins, losses, draws }) =>
        !listed.has(nameOf(botId)) &&
        label === row.version &&
        wins === row.wins &&
        losses === row.losses &&
        draws === row.draws,
    );
    const [only] = same;
    return only !== undefined && same.length === 1 ? { ...row, name: nameOf(only.botId) } : row;
  });
}

/**
 * When a bot or a version left is not public. One that is in frozen standings left later, if at
 * all.
 */
function withoutLater(known: PublicBots, shown: readonly ShownRow[], { bots }: Count): PublicBots {
  const standing = new Map(shown.map(({ name, version }) => [name, version]));
  return new Map(
    [...known].map(([id, facts]) => {
      const label = standing.get(bots.get(id)?.name ?? "");
      if (label === undefined) return [id, facts];
      return [id, { isOut: false, retired: facts.retired.difference(new Set([label])) }];
    }),
  );
}
