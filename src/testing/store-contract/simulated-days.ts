import { utcDayOf } from "#base/util/time.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { MatchMode } from "#core/ids/match-modes.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { MatchRow } from "#data/store/match.ts";
import type { AnalyticsSummary, DayStats } from "#data/store/stats.ts";
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
const HOUSE_BOT = 0;
/** Each bot retains `RETAINED` replays. Older replays are removed every `TRIM_EVERY_DAYS` days. */
const RETAINED = 5;
const TRIM_EVERY_DAYS = 10;

type RollDie = (sides: number) => number;

type SimulationState = {
  accounts: number;
  bots: number[];
  next: number;
  versions: number;
  matches: number;
};

export const simulatedSpan = (days: number) => ({
  from: utcDayOf(sampleTime(0)),
  to: utcDayOf(sampleTime((days - 1) * DAY_S)),
});

/**
 * Fills an empty store with accounts, bots, versions and matches of all kinds. Deletes some bots
 * and removes old replays.
 */
export async function simulateDays(store: Store, days: number, seed: number): Promise<void> {
  const { below: roll } = createDice(seed);
  const state: SimulationState = { accounts: 0, bots: [], next: 1, versions: 0, matches: 0 };
  await store.bots.add(sampleBot(HOUSE_BOT, { house: true }), "hash-house", null);
  await addVersion(store, state, HOUSE_BOT, 0);
  for (const start of [0, 0, 0]) await addBot(store, state, start);
  for (let day = 0; day < days; day += 1) {
    const at = () => day * DAY_S + roll(DAY_S);
    for (let count = roll(3); count > 0; count -= 1) await addAccount(store, state, at());
    if (roll(2) === 0) await addBot(store, state, at());
    if (roll(3) === 0) await addVersion(store, state, state.bots[roll(state.bots.length)]!, at());
    for (let count = roll(20); count > 0; count -= 1) await addMatch(store, state, roll, at());
    if (roll(5) === 0) await addAndDelete(store, state, at());
    if (day % TRIM_EVERY_DAYS === 0)
      await store.replays.release(
        state.bots.map((bot) => sampleId("bot", bot)),
        RETAINED,
        1000,
      );
  }
}

const auditEntryFor = (state: SimulationState, kind: AuditEntry["kind"], at: string) =>
  sampleAudit(state.next, { kind, at, actor: SYSTEM_ACTOR, detail: null });

async function addAccount(store: Store, state: SimulationState, seconds: number): Promise<void> {
  const created = sampleTime(seconds);
  const account = sampleAccount((state.accounts += 1), { created });
  state.next += 1;
  await store.accounts.add(account, auditEntryFor(state, "account.created", created));
}

async function addBot(store: Store, state: SimulationState, seconds: number): Promise<number> {
  const number = (state.next += 1);
  const created = sampleTime(seconds);
  const registered = auditEntryFor(state, "bot.registered", created);
  await store.bots.add(sampleBot(number, { created }), `hash-${number}`, null, registered);
  state.bots.push(number);
  await addVersion(store, state, number, seconds);
  return number;
}

/** Version IDs are numbered separately. Bots always play with their first version. */
async function addVersion(
  store: Store,
  state: SimulationState,
  bot: number,
  seconds: number,
): Promise<void> {
  const versions = await store.versions.list(sampleId("bot", bot), { limit: 1 });
  const isFirst = versions === null || versions.length === 0;
  const number = isFirst ? bot : 1_000_000 + (state.versions += 1);
  const changes = { botId: sampleId("bot", bot), created: sampleTime(seconds) };
  await store.versions.add(sampleVersion(number, changes), null);
}

async function addMatch(
  store: Store,
  state: SimulationState,
  roll: RollDie,
  seconds: number,
): Promise<void> {
  const mode = (["ranked", "ranked", "ranked", "practice"] as const satisfies MatchMode[])[
    roll(4)
  ]!;
  const first = state.bots[roll(state.bots.length)]!;
  const otherBots = [HOUSE_BOT, ...state.bots].filter((bot) => bot !== first);
  const voided = roll(8) === 0;
  await store.matches.save(
    sampleMatch((state.matches += 1), {
      mode,
      voided,
      rated: mode === "ranked" && !voided,
      ...(mode === "practice" && { unratedReason: "mode" }),
      map: MAPS[roll(MAPS.length)]!,
      started: sampleTime(seconds),
      ended: sampleTime(seconds + roll(7200)),
      seats: [sampleSeat(first), sampleSeat(otherBots[roll(otherBots.length)]!, { fighter: "B" })],
      winnerBotId: null,
      stats: null,
    }),
  );
}

/**
 * Adds a bot and deletes it. Only bots without matches can be deleted, and they stay in the daily
 * counts.
 */
async function addAndDelete(store: Store, state: SimulationState, seconds: number): Promise<void> {
  const number = await addBot(store, state, seconds);
  state.bots.pop();
  state.next += 1;
  const deleted = auditEntryFor(state, "bot.deleted", sampleTime(seconds));
  await store.bots.delete(sampleId("bot", number), deleted);
}

type Recount = Pick<AnalyticsSummary, "activeBots" | "days" | "maps" | "topBots">;

/**
 * Recounts the totals from the matches and the audit log. The audit log has no entries for
 * versions, so a deleted bot's only version is counted when the bot is registered.
 */
export async function recountAnalytics(
  store: Store,
  { from, to }: { from: string; to: string },
  limit: number,
): Promise<Recount> {
  const isWithin = (instant: string) => utcDayOf(instant) >= from && utcDayOf(instant) <= to;
  const matches = (await allMatches(store)).filter(({ ended }) => isWithin(ended));
  const entries = (await allEntries(store)).filter(({ at }) => isWithin(at));
  const versions = (await versionTimes(store)).filter(isWithin);
  const instants = [...matches.map(({ ended }) => ended), ...entries.map(({ at }) => at)];
  const days = [...new Set([...instants, ...versions].map(utcDayOf))].toSorted();
  const games = matches.filter(({ voided }) => !voided);
  const maps = Object.entries(Object.groupBy(games, ({ map }) => map));
  return {
    activeBots: botsOf(matches).size,
    days: days.flatMap((day) => {
      const countedGames = recountDay(day, matches, entries, versions);
      return Object.values(countedGames).some((value) => value !== day && value !== 0)
        ? [countedGames]
        : [];
    }),
    maps: maps
      .map(([map, played = []]) => ({ map, games: played.length }))
      .toSorted((a, b) => b.games - a.games || (a.map < b.map ? -1 : 1)),
    topBots: (await recountTopBots(store, games)).slice(0, limit),
  };
}

const botsOf = (matches: readonly MatchRow[]) =>
  new Set(matches.flatMap(({ seats }) => seats.flatMap(({ botId }) => botId ?? [])));

function recountDay(
  day: string,
  matches: readonly MatchRow[],
  entries: readonly AuditEntry[],
  versions: readonly string[],
): DayStats {
  const played = matches.filter(({ ended }) => utcDayOf(ended) === day);
  const countEntries = (kind: string) =>
    entries.filter((entry) => entry.kind === kind && utcDayOf(entry.at) === day).length;
  const bots = countEntries("bot.registered");
  const games = played.filter(({ voided }) => !voided);
  const ranked = games.filter(({ mode }) => mode === "ranked").length;
  return {
    day,
    users: countEntries("account.created"),
    bots,
    versions: bots + versions.filter((createdAt) => utcDayOf(createdAt) === day).length,
    ranked,
    other: games.length - ranked,
    voided: played.length - games.length,
    active_bots: botsOf(played).size,
  };
}

async function recountTopBots(store: Store, games: readonly MatchRow[]) {
  const bots = (await store.bots.byIds([...botsOf(games)])).filter(({ house }) => !house);
  return bots
    .map(({ id, name, owner }) => {
      const botGames = games.filter(({ seats }) => seats.some(({ botId }) => botId === id));
      const ranked = botGames.filter(({ mode }) => mode === "ranked").length;
      return { name, owner, games: botGames.length, ranked };
    })
    .toSorted(
      (a, b) => b.games - a.games || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1),
    );
}

async function allMatches(store: Store): Promise<MatchRow[]> {
  const allRows: MatchRow[] = [];
  for (const id of await store.matches.ids()) {
    const match = await store.matches.byId(id);
    if (match !== null) allRows.push(match);
  }
  return allRows;
}

async function allEntries(store: Store): Promise<AuditEntry[]> {
  const kinds = ["account.created", "bot.registered"] as const;
  return store.audit.list({ kind: kinds, limit: 1_000_000 });
}

/** Returns when versions were added to existing player bots, excluding first versions. */
async function versionTimes(store: Store): Promise<string[]> {
  const made: string[] = [];
  for (const bot of await store.bots.byIds(await store.bots.ids("", 1_000_000))) {
    const versions = (await store.versions.list(bot.id, { limit: 1_000_000 })) ?? [];
    const byAge = versions.map(({ created }) => created).toSorted();
    if (!bot.house) made.push(...byAge.slice(1));
  }
  return made;
}
