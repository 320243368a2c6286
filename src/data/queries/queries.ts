// Which query answers which method of the port.

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
  keyQueries,
  noted,
  ownerQueries,
  programQueries,
} from "#data/accounts/account-queries.ts";
import {
  highlightedMatches,
  pinEmbedded,
  pinnedFor,
  renewPins,
  starReplay,
  unstarReplay,
} from "#data/accounts/pinned-replay.ts";
import { announcementQueries } from "#data/announcements/announcement-queries.ts";
import { analytics } from "#data/days/analytics.ts";
import { awardQueries } from "#data/events/awards.ts";
import { eventQueries } from "#data/events/events.ts";
import { progressQueries } from "#data/events/progress.ts";
import { requestQueries } from "#data/events/requests.ts";
import { grantQueries, identityQueries } from "#data/identity/identity-queries.ts";
import { invitationQueries, ladderQueries, memberQueries } from "#data/ladders/ladder-queries.ts";
import { deliveryQueries, incidentQueries } from "#data/mail/mail-queries.ts";
import { readerQueries } from "#data/mail/readers.ts";
import { appliedSchema } from "#data/migrations/migrations.ts";
import { settingsQueries } from "#data/settings/settings-queries.ts";
import { nameKey } from "#data/store/bot.ts";
import type { Nouns } from "#data/store/store.ts";

import { activity } from "./activity.ts";
import { addAudit, audit, auditEntry, sweepAudit } from "./audit.ts";
import type { Backend } from "./backend.ts";
import { lostGames, mapRecord, recentOpponents } from "./bot-record.ts";
import {
  addBot,
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
import { botPlay, competitionFigures, ladderFigures } from "./figures.ts";
import { checkIntegrity } from "./integrity.ts";
import {
  beyondKept,
  hasReplay,
  holdReplays,
  releaseCasualReplays,
  releaseReplays,
  replayIds,
} from "./kept-replay.ts";
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
import {
  archiveSeason,
  champions,
  finalPlacesOf,
  finalStandings,
  latestPlaces,
  notePlaces,
  openSeasons,
  seasons,
} from "./season.ts";
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
import type { Write } from "./writer.ts";

type Of<N extends keyof Nouns> = (backend: Backend, write: Write) => Nouns[N];

const botQueries: Of<"bots"> = (backend, write) => ({
  add: (bot, tokenHash, limit, audit) =>
    write(async (open) => {
      await backend.lock(open, `owner ${bot.ownerId}`);
      await backend.lock(open, `name ${nameKey(bot.name)}`);
      const outcome = await addBot(open, bot, tokenHash, limit);
      return noted(open, outcome, outcome === "added", audit);
    }),
  byName: (name) => botByName(backend.database, name),
  byFormerName: (name, now) => botByFormerName(backend.database, name, now),
  byId: (id) => botById(backend.database, id),
  byIds: (ids) => botsById(backend.database, ids),
  byToken: (tokenHash) => botByToken(backend.database, tokenHash),
  search: (text, most) => searchBots(backend.database, text, most),
  ofOwners: (ownerIds) => botsOfOwners(backend.database, ownerIds),
  played: (ids) => playedBots(backend.database, ids),
  moderated: (most) => moderatedBots(backend.database, most),
  house: () => houseBots(backend.database),
  ids: (after, most) => botIds(backend.database, after, most),
  rotateToken: (id, tokenHash, { former, audit } = {}) =>
    write(async (open) => {
      await backend.lock(open, `bot ${id}`);
      const isDone = await rotateToken(open, id, tokenHash, former);
      return noted(open, isDone, isDone, audit);
    }),
  setStatus: (id, change, audit) =>
    write(async (open) => {
      const outcome = await setBotStatus(open, id, change);
      return noted(open, outcome, outcome?.isChanged === true, audit);
    }),
  delete: (id, audit) =>
    write(async (open) => {
      const outcome = await deleteBot(open, id);
      return noted(open, outcome, outcome === "deleted", audit);
    }),
  ...accountBotQueries(backend, write),
});

type OfAccounts = "claim" | "rename" | "setAvatar";

function accountBotQueries(backend: Backend, write: Write): Pick<Nouns["bots"], OfAccounts> {
  return {
    claim: (id, claimant, limit, audit) =>
      write(async (open) => {
        await backend.lock(open, `owner ${claimant}`);
        await backend.lock(open, `bot ${id}`);
        const result = await claimBot(open, id, claimant, limit);
        return noted(open, result, result?.outcome === "claimed", audit);
      }),
    rename: (id, name, formerly, audit) =>
      write(async (open) => {
        await backend.lock(open, `name ${nameKey(name)}`);
        const outcome = await renameBot(open, id, name, formerly);
        return noted(open, outcome, outcome !== null && outcome !== "name_taken", audit);
      }),
    setAvatar: (id, avatar) => write((open) => setAvatar(open, id, avatar)),
  };
}

const versionQueries: Of<"versions"> = (backend, write) => ({
  add: (version, dayLimit) =>
    write(async (open) => {
      await backend.lock(open, `bot ${version.botId}`);
      return addVersion(open, version, dayLimit);
    }),
  retire: (botId, label) => write((open) => retireVersion(open, botId, label)),
  byLabel: (botId, label) => versionOf(backend.database, botId, label),
  byIds: (ids) => versionsById(backend.database, ids),
  list: (botId, page) => versionsOf(backend.database, botId, page),
  latest: (botId, most, always) => latestVersions(backend.database, botId, most, always),
  current: (botId, ladderId) => currentVersion(backend.database, botId, ladderId),
});

const matchQueries: Of<"matches"> = (backend, write) => ({
  async save(finished) {
    const stats = finished.stats === null ? null : await backend.pack(finished.stats);
    return write((open) => saveMatch(open, finished, stats));
  },
  list: (query) => matches(backend, query),
  byId: (id) => match(backend, id),
  async stats(id) {
    const stats = await matchStats(backend.database, id);
    return stats && (await backend.unpack(stats));
  },
  counts: (ladderId) => matchCounts(backend.database, ladderId),
  ids: () => matchIds(backend.database),
  laddersOf: (botId) => playedLadders(backend.database, botId),
  startsSince: (since) => startsSince(backend.database, since),
});

const figureQueries: Of<"figures"> = (backend, write) => ({
  pairs: (of) => pairCounts(backend.database, of),
  activity: (of) => activity(backend.database, of),
  opponents: (botId, of, versionId) => opponentsOf(backend.database, botId, of, versionId),
  maps: (query) => mapRecord(backend.database, query),
  recentOpponents: (query) => recentOpponents(backend.database, query),
  losses: (query) => lostGames(backend, query),
  play: (of, botId) => botPlay(backend.database, of, botId),
  competition: (of, rivalries) => competitionFigures(backend.database, of, rivalries),
  ladder: (query) => ladderFigures(backend.database, query),
  ratings: (query) => ratingHistory(backend.database, query),
  analytics: (query) => analytics(backend.database, query),
  turns: (ids, window) => turnFigures(backend.database, ids, window),
  carryTurns: (most) => write((open) => carryTurns(backend, open, most)),
});

const replayQueries: Of<"replays"> = ({ database }, write) => ({
  has: (matchId) => hasReplay(database, matchId),
  beyond: (keeping) => beyondKept(database, keeping),
  ids: () => replayIds(database),
  release: (bots, keep, most) => write((open) => releaseReplays(open, bots, keep, most)),
  hold: (held, most) => write((open) => holdReplays(open, held, most)),
  releaseCasual: (keep, most) => write((open) => releaseCasualReplays(open, keep, most)),
  star: (account, match, at, most) => write((open) => starReplay(open, account, match, at, most)),
  unstar: (account, match) => write((open) => unstarReplay(open, account, match)),
  starred: (account) => pinnedFor(database, account),
  pinEmbedded: (match, at) => write((open) => pinEmbedded(open, match, at)),
  highlighted: () => highlightedMatches(database),
  renewPins: (ids, embedded) => write((open) => renewPins(open, ids, embedded)),
});

const seasonQueries: Of<"seasons"> = ({ database }, write) => ({
  list: () => seasons(database),
  open: (opened) => write((open) => openSeasons(open, opened)),
  archive: (id, archivedAt, places) => write((open) => archiveSeason(open, id, archivedAt, places)),
  standings: (season) => finalStandings(database, { ladderId: DEFAULT_LADDER, season }),
  champions: () => champions(database),
  placesOf: (botId) => finalPlacesOf(database, botId),
});

const standingQueries: Of<"standings"> = ({ database }, write) => ({
  note: (places, since) => write((open) => notePlaces(open, places, since)),
  latest: (ladderId) => latestPlaces(database, ladderId),
});

const auditQueries: Of<"audit"> = ({ database }, write) => ({
  add: (entries) => write((open) => addAudit(open, entries)),
  sweep: (before, most) => write((open) => sweepAudit(open, before, most)),
  byId: (id) => auditEntry(database, id),
  list: (query) => audit(database, query),
});

const databaseQueries: Of<"database"> = (backend) => ({
  schema: () => appliedSchema(backend.database),
  faults: () => checkIntegrity(backend),
});

/** Reads go to the database itself, writes through the group writer. */
export function queriesOf(backend: Backend, write: Write): Nouns {
  return {
    accounts: accountQueries(backend, write),
    keys: keyQueries(backend, write),
    programs: programQueries(backend, write),
    owners: ownerQueries(backend, write),
    bots: botQueries(backend, write),
    versions: versionQueries(backend, write),
    matches: matchQueries(backend, write),
    figures: figureQueries(backend, write),
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
    readers: readerQueries(backend.database),
    audit: auditQueries(backend, write),
    identity: identityQueries(backend, write),
    grants: grantQueries(backend, write),
    database: databaseQueries(backend, write),
  };
}
