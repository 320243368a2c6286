// What each method of the store reads and changes, as subjects: one table, from which a store is
// made that notes what is read and announces what is written.
//
// bots: which there are. facts: what is said of those that exist. bot:<id>, name:<key>: one of them.
// versions:<bot id>: those of a bot. retired: which of all are. tokens: who is let in.
// matches, matches:<ladder>, played:<bot id>: those that are stored. gone: those that went with a
// bot. turns, turns:<version id>: how they were played. replays: which are kept. seasons: these and their final standings. audit.

import type { Revisions } from "#base/cache/revisions.ts";
import { keyOf } from "#data/queries/bot.ts";
import type { Store } from "#data/store/store.ts";

type Answer<K extends keyof Store> = Awaited<ReturnType<Store[K]>>;
type Subjects<K extends keyof Store, Given> = (
  answer: Given,
  ...args: Parameters<Store[K]>
) => string[];

/**
 * What a write has changed: nothing, where its answer says so. Without an answer it failed, and may
 * have been stored all the same.
 */
const CHANGES = {
  addBot: (outcome, { id, name }) =>
    outcome === "name_taken" || outcome === "bot_limit"
      ? []
      : ["bots", "tokens", `name:${keyOf(name)}`, `bot:${id}`],
  rotateToken: () => ["tokens"],
  setBotStatus: (isNew, id) => (isNew === false ? [] : ["facts", `bot:${id}`]),
  deleteBot: (outcome, id) =>
    outcome === "played"
      ? []
      : [`bot:${id}`, `versions:${id}`].concat(
          "bots facts tokens versions retired matches replays gone".split(" "),
        ),
  addVersion: (added, { botId }) =>
    added === undefined || added.outcome === "added" ? ["versions", `versions:${botId}`] : [],
  retireVersion: (retired, botId) =>
    retired === undefined || retired?.outcome === "retired" ? ["retired", `versions:${botId}`] : [],
  saveMatch: (isNew, { ladderId, seats }) =>
    isNew === false
      ? []
      : [
          "matches",
          `matches:${ladderId}`,
          ...seats.flatMap((seat) => [`played:${seat.botId}`, `turns:${seat.versionId}`]),
        ],
  carryTurns: (carried) => (carried === 0 ? [] : ["turns"]),
  releaseReplays: (released) => (released?.gone.length === 0 ? [] : ["replays"]),
  releaseCasualReplays: (released) => (released?.gone.length === 0 ? [] : ["replays"]),
  openSeasons: (isNew) => (isNew === false ? [] : ["seasons"]),
  archiveSeason: (isNew) => (isNew === false ? [] : ["seasons"]),
  addAudit: (_, entries) => (entries.length === 0 ? [] : ["audit"]),
} satisfies { [K in keyof Store]?: Subjects<K, Answer<K> | undefined> };

/** Nobody may keep what these answer: they change with what no method of the port writes. */
type Unnoted = "schema" | "checkIntegrity" | "close";
type Read = Exclude<keyof Store, keyof typeof CHANGES | Unnoted>;

/** What a read depends on; it may be known by its answer only. */
export const READS = {
  botByName: (bot, name) => [`name:${keyOf(name)}`, ...(bot === null ? [] : [`bot:${bot.id}`])],
  botById: (_, id) => [`bot:${id}`],
  botsById: (bots, ids) => (bots.length < ids.length ? ["facts", "bots"] : ["facts"]),
  botByToken: () => ["tokens", "facts"],
  houseBots: () => ["facts", "bots"],
  botIds: () => ["bots"],
  version: (_, botId) => [`versions:${botId}`],
  versionsById: (versions, ids) =>
    versions.length < ids.length ? ["retired", "versions"] : ["retired"],
  versionsOf: (_, botId) => [`versions:${botId}`],
  latestVersions: (_, botId) => [`versions:${botId}`, `played:${botId}`],
  currentVersion: (_, botId) => [`versions:${botId}`, `played:${botId}`],
  matches: (rows, { botId, ladderId }) => [
    "facts",
    rows === null ? "matches" : botId === undefined ? `matches:${ladderId}` : `played:${botId}`,
  ],
  match: (row) => [row === null ? "matches" : "facts"],
  matchStats: (stats) => [stats === null ? "matches" : "gone"],
  matchCounts: (_, ladderId) => [`matches:${ladderId}`],
  matchIds: () => ["matches"],
  playedLadders: (_, botId) => [`played:${botId}`, "gone"],
  pairCounts: (_, { ladderId }) => [`matches:${ladderId}`],
  activity: (_, { ladderId }) => [`matches:${ladderId}`],
  opponentsOf: (_, botId) => [`played:${botId}`],
  figures: (_, { ladderId }) => [`matches:${ladderId}`],
  ratingHistory: (_, { botId }) => [`played:${botId}`, "facts"],
  startsSince: () => ["matches"],
  turnFigures: (_, versionIds) => ["turns", ...versionIds.map((id) => `turns:${id}`)],
  hasReplay: (isKept) => (isKept ? ["replays"] : ["replays", "matches"]),
  replayIds: () => ["replays", "matches"],
  seasons: () => ["seasons"],
  finalStandings: () => ["seasons"],
  finalPlacesOf: () => ["seasons"],
  audit: () => ["audit"],
} satisfies { [K in Read]: Subjects<K, Answer<K>> };

type Method = (...args: unknown[]) => Promise<unknown>;

/** The same store. A change is announced once it is stored, and before its caller hears so. */
export function announced(store: Store, revisions: Revisions): Store {
  const methods = (Object.entries(store) as [string, Method][]).map(([name, method]) => {
    if (name in READS) return [name, noting(revisions, name as keyof typeof READS, method)];
    if (name in CHANGES) return [name, moving(revisions, name as keyof typeof CHANGES, method)];
    return [name, method];
  });
  return Object.fromEntries(methods) as Store;
}

function noting(revisions: Revisions, name: keyof typeof READS, method: Method): Method {
  const subjectsOf = READS[name] as (...values: unknown[]) => string[];
  return async (...args) => {
    const at = revisions.now();
    const answer = await method(...args);
    revisions.note(subjectsOf(answer, ...args), at);
    return answer;
  };
}

function moving(revisions: Revisions, name: keyof typeof CHANGES, method: Method): Method {
  const subjectsOf = CHANGES[name] as (...values: unknown[]) => string[];
  return async (...args) => {
    let answer: unknown;
    try {
      answer = await method(...args);
      return answer;
    } finally {
      revisions.move(subjectsOf(answer, ...args));
    }
  };
}
