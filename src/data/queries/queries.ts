import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import {
  botByFormerName,
  claimBot,
  playedBots,
  renameBot,
  setAvatar,
} from "#data/accounts/account-bots.ts";
import {
  accountQueries,
  agentKeyQueries,
  withAudit,
  ownerQueries,
  appQueries,
} from "#data/accounts/account-queries.ts";
import {
  highlightedMatches,
  pinEmbedded,
  pinnedMatches,
  renewPins,
  starReplay,
  unstarReplay,
} from "#data/accounts/starred-replay.ts";
import { announcementQueries } from "#data/announcements/announcement-queries.ts";
import { readAnalytics } from "#data/daily-stats/analytics.ts";
import { awardQueries } from "#data/events/award-queries.ts";
import { eventQueries } from "#data/events/event-queries.ts";
import { requestQueries } from "#data/events/opponent-request-queries.ts";
import { progressQueries } from "#data/events/progress-queries.ts";
import { grantQueries, identityQueries } from "#data/identity/identity-queries.ts";
import { invitationQueries, ladderQueries, memberQueries } from "#data/ladders/ladder-queries.ts";
import { deliveryQueries, incidentQueries } from "#data/mail/mail-queries.ts";
import { recipientQueries } from "#data/mail/recipient-queries.ts";
import { appliedSchema } from "#data/migrations/migrations.ts";
import { settingsQueries } from "#data/settings/settings-queries.ts";
import { nameKey } from "#data/store/bot.ts";
import type { Repositories } from "#data/store/store.ts";

import { versionActivity } from "./activity.ts";
import { addAudit, listAudit, findAuditEntry, sweepAudit } from "./audit.ts";
import { lostGames, mapRecord, recentOpponents } from "./bot-record.ts";
import {
  insertBot,
  botById,
  botByName,
  botByToken,
  botIds,
  botsById,
  botsOfOwners,
  deleteBot,
  houseBots,
  moderatedBots,
  rotateToken,
  searchBots,
  setBotStatus,
} from "./bot.ts";
import { botPlayStats, competitionStats, ladderStats } from "./competition-stats.ts";
import type { Backend } from "./database-backend.ts";
import type { Write } from "./group-writer.ts";
import { checkIntegrity } from "./integrity.ts";
import { findMatch, listMatches } from "./match-list.ts";
import {
  matchCounts,
  matchIds,
  packedStats,
  playedLadders,
  insertMatch,
  startsSince,
} from "./match.ts";
import { opponentResults } from "./opponent.ts";
import { pairCounts } from "./pair-counts.ts";
import { ratingHistory } from "./rating-history.ts";
import {
  listExcessReplays,
  hasReplay,
  retainForLadders,
  releaseCasualReplays,
  releaseReplays,
  replayIds,
} from "./retained-replays.ts";
import {
  archiveSeason,
  listChampions,
  finalPlacesOf,
  readFinalStandings,
  latestDailyPlaces,
  recordDailyPlaces,
  addSeasons,
  listSeasons,
} from "./season.ts";
import { backfillTurns, versionTurnStats } from "./turn-stats.ts";
import {
  insertVersion,
  currentVersion,
  latestVersions,
  retireVersion,
  selectVersion,
  versionsById,
  listVersions,
} from "./version.ts";

type QueryFactory<N extends keyof Repositories> = (
  backend: Backend,
  write: Write,
) => Repositories[N];

const botQueries: QueryFactory<"bots"> = (backend, write) => ({
  add: (bot, tokenHash, limit, audit) =>
    write(async (tx) => {
      await backend.lock(tx, `owner ${bot.ownerId}`);
      await backend.lock(tx, `name ${nameKey(bot.name)}`);
      const outcome = await insertBot(tx, bot, tokenHash, limit);
      return withAudit(tx, outcome, outcome === "added", audit);
    }),
  byName: (name) => botByName(backend.database, name),
  byFormerName: (name, now) => botByFormerName(backend.database, name, now),
  byId: (id) => botById(backend.database, id),
  byIds: (ids) => botsById(backend.database, ids),
  byToken: (tokenHash) => botByToken(backend.database, tokenHash),
  search: (text, limit) => searchBots(backend.database, text, limit),
  listByOwners: (ownerIds) => botsOfOwners(backend.database, ownerIds),
  filterPlayed: (ids) => playedBots(backend.database, ids),
  listModerated: (limit) => moderatedBots(backend.database, limit),
  house: () => houseBots(backend.database),
  ids: (afterId, limit) => botIds(backend.database, afterId, limit),
  rotateToken: (id, tokenHash, { former: expectedHash, audit } = {}) =>
    write(async (tx) => {
      await backend.lock(tx, `bot ${id}`);
      const isRotated = await rotateToken(tx, id, tokenHash, expectedHash);
      return withAudit(tx, isRotated, isRotated, audit);
    }),
  setStatus: (id, change, audit) =>
    write(async (tx) => {
      const outcome = await setBotStatus(tx, id, change);
      return withAudit(tx, outcome, outcome?.isChanged === true, audit);
    }),
  delete: (id, audit) =>
    write(async (tx) => {
      const outcome = await deleteBot(tx, id);
      return withAudit(tx, outcome, outcome === "deleted", audit);
    }),
  ...botOwnershipQueries(backend, write),
});

type BotOwnershipMethod = "claim" | "rename" | "setAvatar";

function botOwnershipQueries(
  backend: Backend,
  write: Write,
): Pick<Repositories["bots"], BotOwnershipMethod> {
  return {
    claim: (id, claimantId, limit, audit) =>
      write(async (tx) => {
        await backend.lock(tx, `owner ${claimantId}`);
        await backend.lock(tx, `bot ${id}`);
        const outcome = await claimBot(tx, id, claimantId, limit);
        return withAudit(tx, outcome, outcome?.outcome === "claimed", audit);
      }),
    rename: (id, name, reservation, audit) =>
      write(async (tx) => {
        await backend.lock(tx, `name ${nameKey(name)}`);
        const outcome = await renameBot(tx, id, name, reservation);
        return withAudit(tx, outcome, outcome !== null && outcome !== "name_taken", audit);
      }),
    setAvatar: (id, avatar) => write((tx) => setAvatar(tx, id, avatar)),
  };
}

const versionQueries: QueryFactory<"versions"> = (backend, write) => ({
  add: (version, dailyLimit) =>
    write(async (tx) => {
      await backend.lock(tx, `bot ${version.botId}`);
      return insertVersion(tx, version, dailyLimit);
    }),
  retire: (botId, label) => write((tx) => retireVersion(tx, botId, label)),
  byLabel: (botId, label) => selectVersion(backend.database, botId, label),
  byIds: (ids) => versionsById(backend.database, ids),
  list: (botId, page) => listVersions(backend.database, botId, page),
  latest: (botId, limit, included) => latestVersions(backend.database, botId, limit, included),
  current: (botId, ladderId) => currentVersion(backend.database, botId, ladderId),
});

const matchQueries: QueryFactory<"matches"> = (backend, write) => ({
  async save(match) {
    const stats = match.stats === null ? null : await backend.pack(match.stats);
    return write((tx) => insertMatch(tx, match, stats));
  },
  list: (query) => listMatches(backend, query),
  byId: (id) => findMatch(backend, id),
  async stats(id) {
    const stats = await packedStats(backend.database, id);
    return stats && (await backend.unpack(stats));
  },
  counts: (ladderId) => matchCounts(backend.database, ladderId),
  ids: () => matchIds(backend.database),
  laddersOf: (botId) => playedLadders(backend.database, botId),
  startsSince: (since) => startsSince(backend.database, since),
});

const figureQueries: QueryFactory<"stats"> = (backend, write) => ({
  pairs: (competition) => pairCounts(backend.database, competition),
  activity: (competition) => versionActivity(backend.database, competition),
  opponents: (botId, competition, versionId) =>
    opponentResults(backend.database, botId, competition, versionId),
  maps: (query) => mapRecord(backend.database, query),
  recentOpponents: (query) => recentOpponents(backend.database, query),
  losses: (query) => lostGames(backend, query),
  play: (competition, botId) => botPlayStats(backend.database, competition, botId),
  competition: (competition, rivalries) =>
    competitionStats(backend.database, competition, rivalries),
  ladder: (query) => ladderStats(backend.database, query),
  ratings: (query) => ratingHistory(backend.database, query),
  analytics: (query) => readAnalytics(backend.database, query),
  turns: (ids, matchLimit) => versionTurnStats(backend.database, ids, matchLimit),
  backfillTurns: (limit) => write((tx) => backfillTurns(backend, tx, limit)),
});

const replayQueries: QueryFactory<"replays"> = ({ database }, write) => ({
  has: (matchId) => hasReplay(database, matchId),
  listExcess: (query) => listExcessReplays(database, query),
  ids: () => replayIds(database),
  release: (ids, retainCount, limit) => write((tx) => releaseReplays(tx, ids, retainCount, limit)),
  retainForLadders: (retentions, limit) => write((tx) => retainForLadders(tx, retentions, limit)),
  releaseCasual: (retainCount, limit) =>
    write((tx) => releaseCasualReplays(tx, retainCount, limit)),
  star: (accountId, matchId, at, limit) =>
    write((tx) => starReplay(tx, accountId, matchId, at, limit)),
  unstar: (accountId, matchId) => write((tx) => unstarReplay(tx, accountId, matchId)),
  listStarred: (accountId) => pinnedMatches(database, accountId),
  pinEmbedded: (matchId, at) => write((tx) => pinEmbedded(tx, matchId, at)),
  highlighted: () => highlightedMatches(database),
  renewPins: (ids, embedLimit) => write((tx) => renewPins(tx, ids, embedLimit)),
});

const seasonQueries: QueryFactory<"seasons"> = ({ database }, write) => ({
  list: () => listSeasons(database),
  open: (seasons) => write((tx) => addSeasons(tx, seasons)),
  archive: (id, archivedAt, places) => write((tx) => archiveSeason(tx, id, archivedAt, places)),
  standings: (season) => readFinalStandings(database, { ladderId: DEFAULT_LADDER, season }),
  champions: () => listChampions(database),
  placesOf: (botId) => finalPlacesOf(database, botId),
});

const standingQueries: QueryFactory<"standings"> = ({ database }, write) => ({
  record: (places, since) => write((tx) => recordDailyPlaces(tx, places, since)),
  latest: (ladderId) => latestDailyPlaces(database, ladderId),
});

const auditQueries: QueryFactory<"audit"> = ({ database }, write) => ({
  add: (entries) => write((tx) => addAudit(tx, entries)),
  sweep: (cutoffs, limit) => write((tx) => sweepAudit(tx, cutoffs, limit)),
  byId: (id) => findAuditEntry(database, id),
  list: (query) => listAudit(database, query),
});

const databaseQueries: QueryFactory<"database"> = (backend) => ({
  schema: () => appliedSchema(backend.database),
  faults: () => checkIntegrity(backend),
});

export function createRepositories(backend: Backend, write: Write): Repositories {
  return {
    accounts: accountQueries(backend, write),
    keys: agentKeyQueries(backend, write),
    apps: appQueries(backend, write),
    owners: ownerQueries(backend, write),
    bots: botQueries(backend, write),
    versions: versionQueries(backend, write),
    matches: matchQueries(backend, write),
    stats: figureQueries(backend, write),
    replays: replayQueries(backend, write),
    seasons: seasonQueries(backend, write),
    standings: standingQueries(backend, write),
    ladders: ladderQueries(backend, write),
    members: memberQueries(backend, write),
    invitations: invitationQueries(backend, write),
    events: eventQueries(backend, write),
    awards: awardQueries(backend, write),
    progress: progressQueries(backend.database),
    requests: requestQueries(backend, write),
    settings: settingsQueries(backend, write),
    announcements: announcementQueries(backend, write),
    deliveries: deliveryQueries(backend, write),
    incidents: incidentQueries(backend, write),
    recipients: recipientQueries(backend.database),
    audit: auditQueries(backend, write),
    identity: identityQueries(backend, write),
    grants: grantQueries(backend, write),
    database: databaseQueries(backend, write),
  };
}
