// The store over either database: each method is one query module's function, reads on the
// database itself, writes through the group writer.
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { appliedSchema } from "#data/migrations/migrations.ts";
import { Calls } from "#data/sqlite/calls.ts";
import type { Store } from "#data/store/store.ts";

import { activity } from "./activity.ts";
import { addAudit, audit } from "./audit.ts";
import type { Backend } from "./backend.ts";
import {
  addBot,
  botById,
  botByName,
  botByToken,
  botIds,
  botsById,
  deleteBot,
  houseBots,
  rotateToken,
  setBotStatus,
} from "./bot.ts";
import { competitionFigures } from "./figures.ts";
import { checkIntegrity } from "./integrity.ts";
import { hasReplay, releaseCasualReplays, releaseReplays, replayIds } from "./kept-replay.ts";
import { match, matches } from "./match-list.ts";
import {
  matchCounts,
  matchIds,
  matchStats,
  playedLadders,
  saveMatch,
  startsSince,
} from "./match.ts";
import { opponentsOf } from "./opponent.ts";
import { pairCounts } from "./pair.ts";
import { ratingHistory } from "./rating-history.ts";
import { archiveSeason, finalPlacesOf, finalStandings, openSeasons, seasons } from "./season.ts";
import { carryTurns, turnFigures } from "./turn-figures.ts";
import {
  addVersion,
  currentVersion,
  latestVersions,
  retireVersion,
  versionOf,
  versionsById,
  versionsOf,
} from "./version.ts";
import { GroupWriter } from "./writer.ts";
import type { Write } from "./writer.ts";

type Writes = Pick<
  Store,
  | "addBot"
  | "rotateToken"
  | "setBotStatus"
  | "deleteBot"
  | "addVersion"
  | "retireVersion"
  | "saveMatch"
  | "carryTurns"
  | "releaseReplays"
  | "releaseCasualReplays"
  | "openSeasons"
  | "archiveSeason"
  | "addAudit"
>;
type Reads = Omit<Store, keyof Writes | "close">;

/** The store of a database whose schema is up to date. Every rejection is a StoreError. */
export function storeOf(backend: Backend): Store {
  const writer = new GroupWriter(backend);
  const calls = new Calls();
  return {
    ...calls.guard({ ...readsOf(backend), ...writesOf(backend, writer.write) }),
    async close() {
      await calls.end();
      await backend.database.destroy();
    },
  };
}

function readsOf(backend: Backend): Reads {
  const { database } = backend;
  return {
    botByName: (name) => botByName(database, name),
    botById: (id) => botById(database, id),
    botByToken: (tokenHash) => botByToken(database, tokenHash),
    botsById: (ids) => botsById(database, ids),
    houseBots: () => houseBots(database),
    botIds: (after, most) => botIds(database, after, most),
    version: (botId, label) => versionOf(database, botId, label),
    versionsById: (ids) => versionsById(database, ids),
    versionsOf: (botId, page) => versionsOf(database, botId, page),
    latestVersions: (botId, most, always) => latestVersions(database, botId, most, always),
    currentVersion: (botId, ladderId) => currentVersion(database, botId, ladderId),
    matches: (query) => matches(backend, query),
    match: (id) => match(backend, id),
    async matchStats(id) {
      const stats = await matchStats(database, id);
      return stats && (await backend.unpack(stats));
    },
    matchCounts: (ladderId) => matchCounts(database, ladderId),
    matchIds: () => matchIds(database),
    playedLadders: (botId) => playedLadders(database, botId),
    pairCounts: (of) => pairCounts(database, of),
    activity: (of) => activity(database, of),
    opponentsOf: (botId, of, versionId) => opponentsOf(database, botId, of, versionId),
    figures: (of, rivalries) => competitionFigures(database, of, rivalries),
    ratingHistory: (query) => ratingHistory(database, query),
    turnFigures: (ids, window) => turnFigures(database, ids, window),
    hasReplay: (id) => hasReplay(database, id),
    replayIds: () => replayIds(database),
    seasons: () => seasons(database),
    finalStandings: (season) => finalStandings(database, { ladderId: PUBLIC_LADDER, season }),
    finalPlacesOf: (botId) => finalPlacesOf(database, botId),
    startsSince: (since) => startsSince(database, since),
    audit: (query) => audit(database, query),
    schema: () => appliedSchema(database),
    checkIntegrity: () => checkIntegrity(backend),
  };
}

function writesOf(backend: Backend, write: Write): Writes {
  return {
    addBot: (bot, tokenHash, limit) =>
      write(async (open) => {
        await backend.lock(open, `owner ${bot.ownerId}`);
        return addBot(open, bot, tokenHash, limit);
      }),
    rotateToken: (botId, tokenHash) => write((open) => rotateToken(open, botId, tokenHash)),
    setBotStatus: (botId, status) => write((open) => setBotStatus(open, botId, status)),
    deleteBot: (botId) => write((open) => deleteBot(open, botId)),
    addVersion: (version, dayLimit) =>
      write(async (open) => {
        await backend.lock(open, `bot ${version.botId}`);
        return addVersion(open, version, dayLimit);
      }),
    retireVersion: (botId, label) => write((open) => retireVersion(open, botId, label)),
    async saveMatch(finished) {
      const stats = finished.stats === null ? null : await backend.pack(finished.stats);
      return write((open) => saveMatch(open, finished, stats));
    },
    carryTurns: (most) => write((open) => carryTurns(backend, open, most)),
    releaseReplays: (botIds, keep, most) =>
      write((open) => releaseReplays(open, botIds, keep, most)),
    releaseCasualReplays: (keep, most) => write((open) => releaseCasualReplays(open, keep, most)),
    openSeasons: (opened) => write((open) => openSeasons(open, opened)),
    archiveSeason: (id, archivedAt, places) =>
      write((open) => archiveSeason(open, id, archivedAt, places)),
    addAudit: (entries) => write((open) => addAudit(open, entries)),
  };
}
