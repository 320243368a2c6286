// The account of a bout: every hit point of both fighters, in rows whose sum is what was left.
import { bothOf } from "#base/units/sure.ts";
import { hpAccount } from "#core/engine/hp-account.ts";
import type { HpAccount } from "#core/engine/hp-account.ts";
import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { FighterStats, IdleReason, MatchStats } from "#core/engine/types.ts";
import { IDLE_WORDS } from "#core/replay/idle-words.ts";
import { SOURCE_WORDS, signed } from "#site/viewer/words.ts";

type AccountRow = {
  what: string;
  /** By seat; what it cost is negative. */
  amounts: number[];
  /** Pickups that it came from, by seat. */
  times?: number[];
};

/** Rows in which nothing happened to either are left out. */
export function accountOf({ fighters }: Pick<MatchStats, "fighters">) {
  const [a, b] = bothOf(fighters);
  const accounts = [hpAccount(a, b), hpAccount(b, a)];
  const row = (what: string, of: (account: HpAccount) => number): AccountRow => ({
    what,
    amounts: accounts.map(of),
  });
  const healed = {
    ...row("healed", (account) => account.healed),
    times: fighters.map(({ pickups }) => pickups.health),
  };
  const rows = [
    row("at the start", ({ start }) => start),
    healed,
    ...DAMAGE_SOURCES.map((name) =>
      row(SOURCE_WORDS[name], ({ opponent }) => -(opponent[name] ?? 0)),
    ),
    ...DAMAGE_SOURCES.map((name) =>
      row(`its own ${SOURCE_WORDS[name]}`, ({ own }) => -(own[name] ?? 0)),
    ),
    row("the zone", (account) => -account.zone),
    row("beyond the last hp", ({ beyond }) => beyond),
  ];
  return {
    rows: rows.filter(({ amounts }) => amounts.some((amount) => amount !== 0)),
    left: accounts.map(({ left }) => left),
  };
}

/** How large a share of the largest difference another one needs to be named with it. */
const NAMED_SHARE = 0.5;
const MOST_NAMED = 2;

type Decision = Pick<MatchStats, "fighters" | "reason">;

/**
 * What decided against a loser, in one sentence: that it did not answer, where that ended the
 * match; else where it lost most ground, or null if no row speaks against it.
 */
export function decidedWords(stats: Decision, loser: number): string | null {
  if (stats.reason === "forfeit") return FORFEIT_WORDS;
  if (stats.reason === "disqualification") return disqualifiedWords(stats.fighters[loser]);
  return groundWords(stats, loser);
}

/** A bot is gone once it has been away too long, was not ready in time or has been removed. */
const FORFEIT_WORDS = "It was gone: away for too long, not ready in time, or off the ladder.";

/** Names the most frequent reason. */
function disqualifiedWords(fighter: FighterStats | undefined): string {
  const counts = Object.entries(fighter?.server_idles ?? {}) as [IdleReason, number][];
  const [most] = counts.toSorted(([, one], [, other]) => other - one);
  const why = most === undefined ? "" : ` (${most[1]}: ${IDLE_WORDS[most[0]]})`;
  return `Too many turns in a row failed${why}.`;
}

function groundWords(stats: Pick<MatchStats, "fighters">, loser: number): string | null {
  const gaps = accountOf(stats)
    .rows.map(({ what, amounts }) => {
      const [lost, other] = loser === 0 ? bothOf(amounts) : bothOf(amounts.toReversed());
      return { what, lost, other, gap: other - lost };
    })
    .filter(({ gap }) => gap > 0)
    .toSorted((one, other) => other.gap - one.gap);
  const [most] = gaps;
  if (most === undefined) return null;
  const named = gaps.slice(0, MOST_NAMED).filter(({ gap }) => gap >= NAMED_SHARE * most.gap);
  const list = named.map(
    ({ what, lost, other }) => `${what} (${hpWords(lost)} hp against ${hpWords(other)})`,
  );
  return `${list.length === 1 ? "The largest difference" : "The largest differences"}: ${list.join(" and ")}.`;
}

const hpWords = (amount: number): string => (amount === 0 ? "0" : signed(amount));
