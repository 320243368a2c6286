// Days of a ladder as analytics see them: made by dice, and counted again from what is stored.

import { dayOf } from "#base/units/time.ts";
import { SYSTEM } from "#core/words/audit.ts";
import type { Mode } from "#core/words/rated.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { AnalyticsFigures, DayFigures } from "#data/store/figures.ts";
import type { MatchRow } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { createDice } from "#testing/simulation/dice.ts";

import { sampleAccount } from "./store-account-cases.ts";
import {
  sampleAudit,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";

const DAY_S = 86_400;
const MAPS = ["arena", "cross", "ring"];
const HOUSE = 0;
/** Replays that each bot keeps, and how often the others are let go. */
const KEPT = 5;
const TRIM_EVERY_DAYS = 10;

type Die = (sides: number) => number;

/** What was made so far, by number. */
type Made = { accounts: number; bots: number[]; next: number; versions: number; matches: number };

/** The first and the last of this many simulated days. */
export const simulatedSpan = (days: number) => ({
  from: dayOf(sampleTime(0)),
  to: dayOf(sampleTime((days - 1) * DAY_S)),
});

/**
 * Fills an empty store with people, bots, versions and matches of all kinds on these days; some
 * bots are deleted, and replays are let go.
 */
export async function simulateDays(store: Store, days: number, seed: number): Promise<void> {
  const { below: die } = createDice(seed);
  const made: Made = { accounts: 0, bots: [], next: 1, versions: 0, matches: 0 };
  await store.bots.add(sampleBot(HOUSE, { house: true }), "hash-house", null);
  await addVersion(store, made, HOUSE, 0);
  for (const start of [0, 0, 0]) await addBot(store, made, start);
  for (let day = 0; day < days; day += 1) {
    const at = () => day * DAY_S + die(DAY_S);
    for (let count = die(3); count > 0; count -= 1) await addAccount(store, made, at());
    if (die(2) === 0) await addBot(store, made, at());
    if (die(3) === 0) await addVersion(store, made, made.bots[die(made.bots.length)]!, at());
    for (let count = die(20); count > 0; count -= 1) await addMatch(store, made, die, at());
    if (die(5) === 0) await addAndDelete(store, made, at());
    if (day % TRIM_EVERY_DAYS === 0)
      await store.replays.release(
        made.bots.map((bot) => sampleId("bot", bot)),
        KEPT,
        1000,
      );
  }
}

const note = (made: Made, kind: AuditEntry["kind"], at: string) =>
  sampleAudit(made.next, { kind, at, actor: SYSTEM, detail: null });

async function addAccount(store: Store, made: Made, seconds: number): Promise<void> {
  const created = sampleTime(seconds);
  const account = sampleAccount((made.accounts += 1), { created });
  made.next += 1;
  await store.accounts.add(account, note(made, "account.created", created));
}

async function addBot(store: Store, made: Made, seconds: number): Promise<number> {
  const number = (made.next += 1);
  const created = sampleTime(seconds);
  const registered = note(made, "bot.registered", created);
  await store.bots.add(sampleBot(number, { created }), `hash-${number}`, null, registered);
  made.bots.push(number);
  await addVersion(store, made, number, seconds);
  return number;
}

/** Versions have numbers of their own; the first of a bot is the one that plays. */
async function addVersion(store: Store, made: Made, bot: number, seconds: number): Promise<void> {
  const known = await store.versions.list(sampleId("bot", bot), { limit: 1 });
  const isFirst = known === null || known.length === 0;
  const number = isFirst ? bot : 1_000_000 + (made.versions += 1);
  const changes = { botId: sampleId("bot", bot), created: sampleTime(seconds) };
  await store.versions.add(sampleVersion(number, changes), null);
}

async function addMatch(store: Store, made: Made, die: Die, seconds: number): Promise<void> {
  const mode = (["ranked", "ranked", "ranked", "practice"] as const satisfies Mode[])[die(4)]!;
  const first = made.bots[die(made.bots.length)]!;
  const others = [HOUSE, ...made.bots].filter((bot) => bot !== first);
  const voided = die(8) === 0;
  await store.matches.save(
    sampleMatch((made.matches += 1), {
      mode,
      voided,
      rated: mode === "ranked" && !voided,
      ...(mode === "practice" && { unratedReason: "mode" }),
      map: MAPS[die(MAPS.length)]!,
      started: sampleTime(seconds),
      // Some end on the day after the one on which they began.
      ended: sampleTime(seconds + die(7200)),
      seats: [sampleSeat(first), sampleSeat(others[die(others.length)]!, { fighter: "B" })],
      winnerBotId: null,
      stats: null,
    }),
  );
}

/** Only a bot that never played can be deleted; what was counted of it stays. */
async function addAndDelete(store: Store, made: Made, seconds: number): Promise<void> {
  const number = await addBot(store, made, seconds);
  made.bots.pop();
  made.next += 1;
  const deleted = note(made, "bot.deleted", sampleTime(seconds));
  await store.bots.delete(sampleId("bot", number), deleted);
}

type Recount = Pick<AnalyticsFigures, "activeBots" | "days" | "maps" | "topBots">;

/**
 * The same figures, from matches and the audit alone. Versions leave no trace in the audit: those
 * of deleted bots, one each, are counted with the registration.
 */
export async function recount(
  store: Store,
  { from, to }: { from: string; to: string },
  most: number,
): Promise<Recount> {
  const isWithin = (instant: string) => dayOf(instant) >= from && dayOf(instant) <= to;
  const matches = (await allMatches(store)).filter(({ ended }) => isWithin(ended));
  const entries = (await allEntries(store)).filter(({ at }) => isWithin(at));
  const versions = (await laterVersions(store)).filter(isWithin);
  const instants = [...matches.map(({ ended }) => ended), ...entries.map(({ at }) => at)];
  const days = [...new Set([...instants, ...versions].map(dayOf))].toSorted();
  const games = matches.filter(({ voided }) => !voided);
  const maps = Object.entries(Object.groupBy(games, ({ map }) => map));
  return {
    activeBots: botsOf(matches).size,
    days: days.flatMap((day) => {
      const counted = dayAgain(day, matches, entries, versions);
      return Object.values(counted).some((value) => value !== day && value !== 0) ? [counted] : [];
    }),
    maps: maps
      .map(([map, played = []]) => ({ map, games: played.length }))
      .toSorted((a, b) => b.games - a.games || (a.map < b.map ? -1 : 1)),
    topBots: (await topAgain(store, games)).slice(0, most),
  };
}

const botsOf = (matches: readonly MatchRow[]) =>
  new Set(matches.flatMap(({ seats }) => seats.flatMap(({ botId }) => botId ?? [])));

function dayAgain(
  day: string,
  matches: readonly MatchRow[],
  entries: readonly AuditEntry[],
  versions: readonly string[],
): DayFigures {
  const played = matches.filter(({ ended }) => dayOf(ended) === day);
  const told = (kind: string) =>
    entries.filter((entry) => entry.kind === kind && dayOf(entry.at) === day).length;
  const bots = told("bot.registered");
  const games = played.filter(({ voided }) => !voided);
  const ranked = games.filter(({ mode }) => mode === "ranked").length;
  return {
    day,
    users: told("account.created"),
    bots,
    versions: bots + versions.filter((made) => dayOf(made) === day).length,
    ranked,
    other: games.length - ranked,
    voided: played.length - games.length,
    active_bots: botsOf(played).size,
  };
}

async function topAgain(store: Store, games: readonly MatchRow[]) {
  const bots = (await store.bots.byIds([...botsOf(games)])).filter(({ house }) => !house);
  return bots
    .map(({ id, name, owner }) => {
      const own = games.filter(({ seats }) => seats.some(({ botId }) => botId === id));
      const ranked = own.filter(({ mode }) => mode === "ranked").length;
      return { name, owner, games: own.length, ranked };
    })
    .toSorted(
      (a, b) => b.games - a.games || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1),
    );
}

async function allMatches(store: Store): Promise<MatchRow[]> {
  const found: MatchRow[] = [];
  for (const id of await store.matches.ids()) {
    const match = await store.matches.byId(id);
    if (match !== null) found.push(match);
  }
  return found;
}

async function allEntries(store: Store): Promise<AuditEntry[]> {
  const kinds = ["account.created", "bot.registered"] as const;
  return store.audit.list({ kind: kinds, limit: 1_000_000 });
}

/** When players' bots that are there got versions after their first. */
async function laterVersions(store: Store): Promise<string[]> {
  const made: string[] = [];
  for (const bot of await store.bots.byIds(await store.bots.ids("", 1_000_000))) {
    const versions = (await store.versions.list(bot.id, { limit: 1_000_000 })) ?? [];
    const byAge = versions.map(({ created }) => created).toSorted();
    if (!bot.house) made.push(...byAge.slice(1));
  }
  return made;
}
