// Sums of days, over plain facts: what was made and played, which nothing takes away again.

import { dayOf } from "#base/units/time.ts";
import type { AccountRecord } from "#data/store/account.ts";
import { nameKey } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { AnalyticsQuery, DayFigures } from "#data/store/figures.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Call } from "#data/store/method.ts";
import type { MethodName, Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";

type Fact = {
  what: "users" | "bots" | "versions" | "match";
  day: string;
  /** Of a match alone. */
  match: FinishedMatch | null;
};

/** By kind and id. */
export type DayFacts = { counted: Map<string, Fact> };

type AnalyticsFacts = DayFacts & {
  bots: Map<string, BotRecord>;
  accounts: Map<string, AccountRecord>;
  versions: Map<string, VersionRecord>;
  matches: Map<string, FinishedMatch>;
};

/** What is there of what a call of this name was to add; undefined for nothing that counts. */
const ADDED: Partial<Record<MethodName, (facts: AnalyticsFacts, id: string) => Fact | undefined>> =
  {
    "accounts.add": ({ accounts }, id) => madeAt("users", accounts.get(id)),
    "bots.add": ({ bots }, id) => madeAt("bots", playersBot(bots.get(id))),
    "versions.add": ({ versions, bots }, id) => {
      const version = versions.get(id);
      const isOfPlayer = playersBot(bots.get(version?.botId ?? "")) !== undefined;
      return isOfPlayer ? madeAt("versions", version) : undefined;
    },
    "matches.save": ({ matches }, id) => {
      const match = matches.get(id);
      return match && { what: "match", day: dayOf(match.ended), match };
    },
  };

const playersBot = (bot: BotRecord | undefined) => (bot?.house === false ? bot : undefined);

const madeAt = (what: Fact["what"], made: { created: string } | undefined): Fact | undefined =>
  made && { what, day: dayOf(made.created), match: null };

/** The same method, after which what is new is counted. */
export function countingDays(facts: AnalyticsFacts, name: MethodName, method: Call): Call {
  const added = ADDED[name];
  if (added === undefined) return method;
  return async (...values) => {
    const answer = await method(...values);
    const [{ id }] = values as unknown as [{ id: string }];
    const fact = added(facts, id);
    const key = `${name} ${id}`;
    if (fact !== undefined && !facts.counted.has(key)) facts.counted.set(key, fact);
    return answer;
  };
}

export const analyticsMethods = (facts: AnalyticsFacts): Pick<Store["figures"], "analytics"> => ({
  analytics: async ({ from, to, most }) => {
    const counted = [...facts.counted.values()];
    const span = counted.filter(({ day }) => day >= from && day <= to);
    const played = matchesIn(span);
    const signups = counted.filter(({ what }) => what === "users").map(({ day }) => day);
    const maps = Object.entries(Object.groupBy(played.filter(isGame), ({ map }) => map));
    return {
      signupsSince: signups.toSorted()[0] ?? null,
      now: nowOf(facts),
      activeBots: botsIn(played).size,
      days: [...new Set(span.map(({ day }) => day))].toSorted().map((day) => dayIn(span, day)),
      topBots: topBots(facts, played, most),
      maps: maps
        .map(([map, games = []]) => ({ map, games: games.length }))
        .toSorted((a, b) => b.games - a.games || (a.map < b.map ? -1 : 1)),
    };
  },
});

const isGame = ({ voided }: FinishedMatch) => !voided;
const isRankedGame = (match: FinishedMatch) => isGame(match) && match.mode === "ranked";

const matchesIn = (facts: readonly Fact[]) => facts.flatMap(({ match }) => match ?? []);

const botsIn = (matches: readonly FinishedMatch[]) =>
  new Set(matches.flatMap(({ seats }) => seats.flatMap(({ botId }) => botId ?? [])));

function dayIn(span: readonly Fact[], day: string): DayFigures {
  const own = span.filter((fact) => fact.day === day);
  const made = (kind: Fact["what"]) => own.filter(({ what }) => what === kind).length;
  const played = matchesIn(own);
  const games = played.filter(isGame).length;
  const ranked = played.filter(isRankedGame).length;
  return {
    day,
    users: made("users"),
    bots: made("bots"),
    versions: made("versions"),
    ranked,
    other: games - ranked,
    voided: played.length - games,
    active_bots: botsIn(played).size,
  };
}

function nowOf({ bots, accounts, counted }: AnalyticsFacts) {
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
    games: matchesIn([...counted.values()]).filter(isGame).length,
  };
}

function topBots({ bots }: AnalyticsFacts, played: FinishedMatch[], most: AnalyticsQuery["most"]) {
  const games = played.filter(isGame);
  return [...bots.values()]
    .filter(({ house }) => !house)
    .map(({ id, name, owner }) => {
      const own = games.filter(({ seats }) => seats.some(({ botId }) => botId === id));
      return { name, owner, games: own.length, ranked: own.filter(isRankedGame).length };
    })
    .filter((bot) => bot.games > 0)
    .toSorted((a, b) => b.games - a.games || (nameKey(a.name) < nameKey(b.name) ? -1 : 1))
    .slice(0, most);
}
