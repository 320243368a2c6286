// Computes daily totals from a log of creations and matches. Deletions don't remove entries.

import { utcDayOf } from "#base/util/time.ts";
import type { AccountRecord } from "#data/store/account.ts";
import { nameKey } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { AnalyticsQuery, DayStats } from "#data/store/stats.ts";
import type { StoreMethod } from "#data/store/store-method.ts";
import type { MethodName, Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";

type CountedFact = {
  factKind: "users" | "bots" | "versions" | "match";
  day: string;
  /** Null for creations. */
  match: FinishedMatch | null;
};

export type DayCountMemory = { countedFacts: Map<string, CountedFact> };

type AnalyticsMemory = DayCountMemory & {
  bots: Map<string, BotRecord>;
  accounts: Map<string, AccountRecord>;
  versions: Map<string, VersionRecord>;
  matches: Map<string, FinishedMatch>;
};

/** Finds the object that a method added. Returns undefined if the object isn't counted. */
const FACTS_BY_METHOD: Partial<
  Record<MethodName, (memory: AnalyticsMemory, id: string) => CountedFact | undefined>
> = {
  "accounts.add": ({ accounts }, id) => creationFact("users", accounts.get(id)),
  "bots.add": ({ bots }, id) => creationFact("bots", playerBotFact(bots.get(id))),
  "versions.add": ({ versions, bots }, id) => {
    const version = versions.get(id);
    const isOfPlayer = playerBotFact(bots.get(version?.botId ?? "")) !== undefined;
    return isOfPlayer ? creationFact("versions", version) : undefined;
  },
  "matches.save": ({ matches }, id) => {
    const match = matches.get(id);
    return match && { factKind: "match", day: utcDayOf(match.ended), match };
  },
};

const playerBotFact = (bot: BotRecord | undefined) => (bot?.house === false ? bot : undefined);

const creationFact = (
  factKind: CountedFact["factKind"],
  record: { created: string } | undefined,
): CountedFact | undefined => record && { factKind, day: utcDayOf(record.created), match: null };

export function withDayCounts(
  memory: AnalyticsMemory,
  name: MethodName,
  method: StoreMethod,
): StoreMethod {
  const createFact = FACTS_BY_METHOD[name];
  if (createFact === undefined) return method;
  return async (...values) => {
    const result = await method(...values);
    const [{ id }] = values as unknown as [{ id: string }];
    const fact = createFact(memory, id);
    const key = `${name} ${id}`;
    if (fact !== undefined && !memory.countedFacts.has(key)) memory.countedFacts.set(key, fact);
    return result;
  };
}

export const analyticsMethods = (memory: AnalyticsMemory): Pick<Store["stats"], "analytics"> => ({
  analytics: async ({ from, to, limit }) => {
    const countedFacts = [...memory.countedFacts.values()];
    const span = countedFacts.filter(({ day }) => day >= from && day <= to);
    const played = matchesIn(span);
    const signups = countedFacts
      .filter(({ factKind }) => factKind === "users")
      .map(({ day }) => day);
    const maps = Object.entries(Object.groupBy(played.filter(isGame), ({ map }) => map));
    return {
      signupsSince: signups.toSorted()[0] ?? null,
      now: currentCounts(memory),
      activeBots: countBots(played).size,
      days: [...new Set(span.map(({ day }) => day))].toSorted().map((day) => countDay(span, day)),
      topBots: topBots(memory, played, limit),
      maps: maps
        .map(([map, games = []]) => ({ map, games: games.length }))
        .toSorted((a, b) => b.games - a.games || (a.map < b.map ? -1 : 1)),
    };
  },
});

const isGame = ({ voided }: FinishedMatch) => !voided;
const isRankedGame = (match: FinishedMatch) => isGame(match) && match.mode === "ranked";

const matchesIn = (countedFacts: readonly CountedFact[]) =>
  countedFacts.flatMap(({ match }) => match ?? []);

const countBots = (matches: readonly FinishedMatch[]) =>
  new Set(matches.flatMap(({ seats }) => seats.flatMap(({ botId }) => botId ?? [])));

function countDay(span: readonly CountedFact[], day: string): DayStats {
  const dayFacts = span.filter((fact) => fact.day === day);
  const countKind = (kind: CountedFact["factKind"]) =>
    dayFacts.filter(({ factKind }) => factKind === kind).length;
  const played = matchesIn(dayFacts);
  const games = played.filter(isGame).length;
  const ranked = played.filter(isRankedGame).length;
  return {
    day,
    users: countKind("users"),
    bots: countKind("bots"),
    versions: countKind("versions"),
    ranked,
    other: games - ranked,
    voided: played.length - games,
    active_bots: countBots(played).size,
  };
}

function currentCounts({ bots, accounts, countedFacts }: AnalyticsMemory) {
  const players = [...bots.values()].filter(({ house }) => !house);
  const inState = (state: string) => players.filter(({ status }) => status === state).length;
  const banned = [...accounts.values()].filter(({ bannedAt }) => bannedAt !== null);
  return {
    users: accounts.size,
    banned_users: banned.length,
    bots: players.length,
    active_bots: inState("active"),
    suspended_bots: inState("suspended"),
    banned_bots: inState("banned"),
    house_bots: bots.size - players.length,
    games: matchesIn([...countedFacts.values()]).filter(isGame).length,
  };
}

function topBots(
  { bots }: AnalyticsMemory,
  matches: FinishedMatch[],
  limit: AnalyticsQuery["limit"],
) {
  const games = matches.filter(isGame);
  return [...bots.values()]
    .filter(({ house }) => !house)
    .map(({ id, name, owner }) => {
      const botGames = games.filter(({ seats }) => seats.some(({ botId }) => botId === id));
      return { name, owner, games: botGames.length, ranked: botGames.filter(isRankedGame).length };
    })
    .filter((bot) => bot.games > 0)
    .toSorted((a, b) => b.games - a.games || (nameKey(a.name) < nameKey(b.name) ? -1 : 1))
    .slice(0, limit);
}
