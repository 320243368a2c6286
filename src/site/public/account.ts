// The account of a bout: every hit point of both fighters, in rows whose sum is what was left.
import { bothOf } from "#base/units/sure.ts";
import { hpAccount } from "#core/engine/hp-account.ts";
import type { HpAccount } from "#core/engine/hp-account.ts";
import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { MatchStats } from "#core/engine/types.ts";
import { SOURCE_WORDS } from "#site/viewer/words.ts";

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
      row(`${SOURCE_WORDS[name]}, by the other one`, ({ opponent }) => -(opponent[name] ?? 0)),
    ),
    ...DAMAGE_SOURCES.map((name) =>
      row(`its own ${SOURCE_WORDS[name]}`, ({ own }) => -(own[name] ?? 0)),
    ),
    row("the zone", (account) => -account.zone),
    row("of the last blow, more than it had", ({ beyond }) => beyond),
  ];
  return {
    rows: rows.filter(({ amounts }) => amounts.some((amount) => amount !== 0)),
    left: accounts.map(({ left }) => left),
  };
}
