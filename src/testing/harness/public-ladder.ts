// Public API responses from a fake ladder, served over HTTP. The server's own rating code computes
// them from a fixed history. Tests falsify individual responses.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

import { randomFromState, nextState } from "#core/engine/random.ts";
import type { BotStatus } from "#core/ids/bot-status.ts";
import { isScaleAnchor } from "#core/ids/house-bots.ts";
import { rankBots } from "#core/ladder/standings.ts";
import { toVersionStats } from "#core/ladder/version-record.ts";
import { expectedScore } from "#core/rating/score.ts";
import { readBoardPage } from "#live/matchmaker/board-page.ts";
import type { Competitions } from "#live/matchmaker/competition.ts";
import { rateMatch as rateGame, loadCompetition } from "#live/matchmaker/ratings.ts";
import type { PublicBot, PublicBots } from "#tools/verify/computed-board.ts";
import type { BoardSnapshot } from "#tools/verify/explanation.ts";
import type { ListedMatch, LeaderboardEntry } from "#tools/verify/response-schemas.ts";

export type FakePlayer = {
  bot: string;
  name: string;
  label: string;
  house: boolean;
  retired: boolean;
  status?: BotStatus;
  /** True strength in points. */
  strength: number;
  /**
   * Whether the version plays at this point in the history, from 0 to 1. Matches are drawn among
   * the versions that play.
   */
  plays: (progress: number) => boolean;
};

export type FakePublicLadder = {
  /** Best first. */
  rows: LeaderboardEntry[];
  /** Newest first. */
  matches: ListedMatch[];
  players: readonly FakePlayer[];
};

const SEASON = {
  id: "2026-01",
  name: "January 2026",
  opens_at: "2026-01-01T00:00:00.000Z",
  closes_at: "2026-02-01T00:00:00.000Z",
  archived_at: null as string | null,
  state: "live",
};
const FIRST_MATCH_END_MS = Date.parse("2026-01-05T12:00:00.000Z");
const MATCH_SPACING_MS = 20_000;
const LADDER = "public";
const QUALIFYING_GAMES = 30;
const DRAW_SHARE = 0.08;
const VOID_SHARE = 0.01;
const ALWAYS = () => true;

const createPlayer = (
  name: string,
  strength: number,
  overrides: Partial<FakePlayer> = {},
): FakePlayer => {
  const house = name.startsWith("house-");
  const defaults = { label: "v1", house, retired: false, plays: ALWAYS };
  return { bot: `id-of-${name}`, name, strength, ...defaults, ...overrides };
};

/**
 * House bots, players with one and with several versions, a retired version, and a version with too
 * few games to be ranked.
 */
const PLAYERS: readonly FakePlayer[] = [
  createPlayer("house-kiter", 1440),
  createPlayer("house-brawler", 1560),
  createPlayer("house-champion", 1750),
  createPlayer("Rex", 1500, { plays: (progress) => progress < 0.5 }),
  createPlayer("Rex", 1620, { label: "v2", plays: (progress) => progress >= 0.5 }),
  createPlayer("Neo", 1700, { label: "old", plays: (progress) => progress < 0.6 }),
  createPlayer("Neo", 1690, { label: "new", retired: true, plays: (progress) => progress >= 0.6 }),
  createPlayer("ada-bot", 1380),
  createPlayer("mira", 1470),
  createPlayer("zed", 1530),
  createPlayer("late-comer", 1600, { plays: (progress) => progress > 0.93 }),
];

/**
 * Draws `count` matches from true strengths. The leaderboard includes all matches except the newest
 * `behind`.
 */
export function createFakePublicLadder(
  count = 400,
  players = PLAYERS,
  boardLag = 0,
): FakePublicLadder {
  const competitions: Competitions = new Map();
  const competition = { ladderId: LADDER, season: SEASON.id };
  const anchorBots = players.filter(isScaleAnchor);
  const anchors = [...new Set(anchorBots.map(({ bot }) => bot))];
  loadCompetition(competitions, { ...competition, pairs: [], activity: [], anchorBots: anchors });
  const random = createRandom(count);
  let rows: LeaderboardEntry[] = [];
  const matches = Array.from({ length: count }, (_, number) => {
    const active = players.filter(({ plays }) => plays(number / count));
    const match = playFakeMatch(competitions, number, active, random);
    if (number === count - boardLag - 1) rows = leaderboardRows(competitions, players);
    return match;
  });
  return { rows, matches: matches.toReversed(), players };
}

export const LADDER_RULES = { qualifyingGames: QUALIFYING_GAMES };

/** Returns everything that verification reads from an idle ladder. */
export function snapshotOfLadder({ rows, matches }: FakePublicLadder): BoardSnapshot {
  return { shown: rows, matches, atMs: Infinity };
}

export function publicBotsOf({ players }: FakePublicLadder): PublicBots {
  return new Map(
    players.map(({ bot, status = "active" }): [string, PublicBot] => {
      const ownVersions = players.filter((version) => version.bot === bot && version.retired);
      return [
        bot,
        {
          isInactive: status !== "active",
          retired: new Set(ownVersions.map(({ label }) => label)),
        },
      ];
    }),
  );
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = nextState(state);
    return randomFromState(state) / 2 ** 32;
  };
}

function playFakeMatch(
  competitions: Competitions,
  number: number,
  active: readonly FakePlayer[],
  random: () => number,
): ListedMatch {
  const first = active[Math.floor(random() * active.length)]!;
  const opponents = active.filter(({ bot, house }) => bot !== first.bot && !(house && first.house));
  const second = opponents[Math.floor(random() * opponents.length)]!;
  const score = drawScore(first, second, random);
  const voided = random() < VOID_SHARE;
  const endedMs = FIRST_MATCH_END_MS + number * MATCH_SPACING_MS;
  const id = `match-${String(number).padStart(5, "0")}`;
  const ended = new Date(endedMs).toISOString();
  const ratings = voided ? [{}, {}] : ratingsOf(competitions, { id, ended, first, second, score });
  return {
    id,
    ladder_id: LADDER,
    started: new Date(endedMs - MATCH_SPACING_MS / 2).toISOString(),
    ended,
    winner: voided || score === 0.5 ? null : score === 1 ? first.bot : second.bot,
    voided,
    bots: [first, second].map(({ bot, name, label, house }, seat) => {
      return { id: bot, name, version: label, house, ...ratings[seat] };
    }),
  };
}

function drawScore({ strength }: FakePlayer, opponent: FakePlayer, random: () => number) {
  if (random() < DRAW_SHARE) return 0.5;
  return random() < expectedScore(strength, opponent.strength) ? 1 : 0;
}

type RatedPair = {
  id: string;
  ended: string;
  first: FakePlayer;
  second: FakePlayer;
  score: 0 | 0.5 | 1;
};

const versionIdOf = ({ bot, label }: FakePlayer): string => `version ${bot} ${label}`;

function ratingsOf(competitions: Competitions, { id, ended, first, second, score }: RatedPair) {
  const { before, after } = rateGame(competitions, {
    matchId: id,
    ladderId: LADDER,
    season: SEASON.id,
    botIds: [first.bot, second.bot],
    versionIds: [versionIdOf(first), versionIdOf(second)],
    map: "cage",
    score,
    ended,
  });
  return [0, 1].map((seat) => ({ rating_before: before[seat], rating_after: after[seat] }));
}

function leaderboardRows(
  competitions: Competitions,
  players: readonly FakePlayer[],
): LeaderboardEntry[] {
  const { lines } = readBoardPage(competitions, { ladderId: LADDER, season: SEASON.id });
  const board = new Map(lines.map((line) => [line.versionId, line]));
  const bots = new Map(
    players.map(({ bot, name, status = "active" }) => {
      return [bot, { id: bot, name, status, ownerBanned: false }] as const;
    }),
  );
  const versions = players.map((version) => {
    const { bot, label, retired } = version;
    return { id: versionIdOf(version), botId: bot, label, created: SEASON.opens_at, retired };
  });
  return rankBots([...bots.values()], versions, board, QUALIFYING_GAMES).map((standing) => {
    const { win_rate: _, ...versionStats } = toVersionStats(standing.rated);
    return {
      rank: standing.rank,
      name: standing.bot.name,
      version: standing.version.label,
      ...versionStats,
    };
  });
}

export type FakeLadderServer = {
  url: string;
  requestedPaths: string[];
  close(): Promise<void>;
};

export type FakeLadderOptions = {
  /** Called with every response before it is sent. May replace the response. */
  change?: (path: string, answer: unknown) => unknown;
  /** Return true to handle the request in place of the server. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  season?: Partial<typeof SEASON>;
  pageSize?: number;
  /** Number of versions included on a bot's page. The version list has the rest. */
  versionsShown?: number;
};

/** Serves the responses that verification reads. They are gzipped if the client accepts gzip. */
export async function serveFakeLadder(
  ladder: FakePublicLadder,
  serverOptions: FakeLadderOptions = {},
): Promise<FakeLadderServer> {
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requestedPaths.push(path);
    if (serverOptions.intercept?.(request, response) === true) return;
    const originalAnswer = createAnswer(ladder, new URL(path, "http://ladder"), serverOptions);
    const answer =
      serverOptions.change === undefined
        ? originalAnswer
        : serverOptions.change(path, originalAnswer);
    const text = JSON.stringify(answer ?? { error: "Not found." });
    const isZipped = String(request.headers["accept-encoding"]).includes("gzip");
    response.writeHead(answer === null ? 404 : 200, {
      "content-type": "application/json",
      ...(isZipped && { "content-encoding": "gzip" }),
    });
    response.end(isZipped ? gzipSync(text) : text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, requestedPaths, close };
}

function createAnswer(
  ladder: FakePublicLadder,
  { pathname, searchParams }: URL,
  serverOptions: FakeLadderOptions,
): unknown {
  const season = { ...SEASON, ...serverOptions.season };
  const { pageSize = 500 } = serverOptions;
  if (pathname === "/api") return apiIndex(pageSize);
  if (pathname === "/api/seasons") return [season];
  if ((searchParams.get("ladder") ?? LADDER) !== LADDER) return null;
  if (pathname === "/api/leaderboard") return ladder.rows;
  if (pathname === "/api/matches") return matchesPage(ladder, searchParams, pageSize);
  const [, name, versionsPath] = /^\/api\/bots\/([^/]+)(\/versions)?$/.exec(pathname) ?? [];
  const ownVersions = ladder.players.filter((version) => version.name === name);
  const versions = ownVersions.map(({ label, retired }) => ({ label, retired }));
  if (versions.length === 0) return null;
  const beforeIndex = versions.findIndex(({ label }) => label === searchParams.get("before"));
  if (versionsPath !== undefined) return versions.slice(beforeIndex + 1, beforeIndex + 2);
  const shownVersions = versions.slice(0, serverOptions.versionsShown ?? versions.length);
  const status = ownVersions[0]?.status ?? "active";
  return { status, versions: shownVersions, versions_total: versions.length };
}

function apiIndex(pageSize: number): object {
  const ladder = { qualifying_games: QUALIFYING_GAMES };
  return { operational_policy: { ladder, http: { matches_list_max: pageSize } } };
}

function matchesPage({ matches }: FakePublicLadder, query: URLSearchParams, pageSize: number) {
  const before = query.get("before");
  const from = before === null ? 0 : matches.findIndex(({ id }) => id === before) + 1;
  const limit = Math.min(pageSize, Number(query.get("limit")));
  return before !== null && from === 0 ? null : matches.slice(from, from + limit);
}
