// The public answers of a ladder, made by the server's own rating code from a fixed history and
// served over HTTP as they are. Tests change an answer into a lie.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

import { drawnFrom, nextState } from "#core/engine/random.ts";
import { standings } from "#core/ladder/standings.ts";
import { versionFigures } from "#core/ladder/version-record.ts";
import { expectedScore } from "#core/rating/score.ts";
import type { BotStatus } from "#core/words/bot-status.ts";
import { holdsScale } from "#core/words/house.ts";
import { boardOf } from "#live/matchmaker/board.ts";
import type { Competitions } from "#live/matchmaker/competition.ts";
import { rateGame, loadCompetition } from "#live/matchmaker/ratings.ts";
import type { ListedMatch, ShownRow } from "#tools/verify/answers.ts";
import type { PublicBot, PublicBots } from "#tools/verify/board.ts";
import type { Look } from "#tools/verify/explanation.ts";

export type PublicPlayer = {
  bot: string;
  name: string;
  label: string;
  house: boolean;
  retired: boolean;
  /** Of the bot; active by default. */
  status?: BotStatus;
  /** True strength in points. */
  strength: number;
  /** Games are drawn among those that play at that part of the history, 0 to 1. */
  plays: (part: number) => boolean;
};

export type PublicLadder = {
  /** Best first. */
  rows: ShownRow[];
  /** Newest first. */
  matches: ListedMatch[];
  players: readonly PublicPlayer[];
};

const SEASON = {
  id: "2026-01",
  name: "January 2026",
  opens_at: "2026-01-01T00:00:00.000Z",
  closes_at: "2026-02-01T00:00:00.000Z",
  archived_at: null as string | null,
  state: "live",
};
const FIRST_END_MS = Date.parse("2026-01-05T12:00:00.000Z");
const GAME_MS = 20_000;
const LADDER = "public";
const QUALIFYING_GAMES = 30;
const DRAW_SHARE = 0.08;
const VOID_SHARE = 0.01;
const ALWAYS = () => true;

const player = (name: string, strength: number, more: Partial<PublicPlayer> = {}): PublicPlayer => {
  const house = name.startsWith("house-");
  const usual = { label: "v1", house, retired: false, plays: ALWAYS };
  return { bot: `id-of-${name}`, name, strength, ...usual, ...more };
};

/** House bots, players of one and of several versions, a retired one and one too new to rank. */
const PLAYERS: readonly PublicPlayer[] = [
  player("house-kiter", 1440),
  player("house-brawler", 1560),
  player("house-champion", 1750),
  player("Rex", 1500, { plays: (part) => part < 0.5 }),
  player("Rex", 1620, { label: "v2", plays: (part) => part >= 0.5 }),
  player("Neo", 1700, { label: "old", plays: (part) => part < 0.6 }),
  player("Neo", 1690, { label: "new", retired: true, plays: (part) => part >= 0.6 }),
  player("ada-bot", 1380),
  player("mira", 1470),
  player("zed", 1530),
  player("late-comer", 1600, { plays: (part) => part > 0.93 }),
];

/**
 * A history of `count` matches drawn from true strengths, and the leaderboard after it, or before
 * its newest `behind` matches.
 */
export function publicLadder(count = 400, players = PLAYERS, behind = 0): PublicLadder {
  const competitions: Competitions = new Map();
  const competition = { ladderId: LADDER, season: SEASON.id };
  const anchorBots = players.filter(holdsScale);
  const anchors = [...new Set(anchorBots.map(({ bot }) => bot))];
  loadCompetition(competitions, { ...competition, pairs: [], activity: [], anchorBots: anchors });
  const dice = diceOf(count);
  let rows: ShownRow[] = [];
  const matches = Array.from({ length: count }, (_, number) => {
    const active = players.filter(({ plays }) => plays(number / count));
    const match = playMatch(competitions, number, active, dice);
    if (number === count - behind - 1) rows = rowsOf(competitions, players);
    return match;
  });
  return { rows, matches: matches.toReversed(), players };
}

export const LADDER_RULES = { qualifyingGames: QUALIFYING_GAMES };

/** What verification reads of a ladder on which nothing happens. */
export function lookAtPublic({ rows, matches }: PublicLadder): Look {
  return { shown: rows, matches, atMs: Infinity };
}

export function publicBots({ players }: PublicLadder): PublicBots {
  return new Map(
    players.map(({ bot, status = "active" }): [string, PublicBot] => {
      const own = players.filter((one) => one.bot === bot && one.retired);
      return [bot, { isOut: status !== "active", retired: new Set(own.map(({ label }) => label)) }];
    }),
  );
}

/** Numbers from 0 to below 1. */
function diceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = nextState(state);
    return drawnFrom(state) / 2 ** 32;
  };
}

function playMatch(
  competitions: Competitions,
  number: number,
  active: readonly PublicPlayer[],
  dice: () => number,
): ListedMatch {
  const first = active[Math.floor(dice() * active.length)]!;
  const others = active.filter(({ bot, house }) => bot !== first.bot && !(house && first.house));
  const second = others[Math.floor(dice() * others.length)]!;
  const score = scoreOf(first, second, dice);
  const voided = dice() < VOID_SHARE;
  const endedMs = FIRST_END_MS + number * GAME_MS;
  const id = `match-${String(number).padStart(5, "0")}`;
  const ended = new Date(endedMs).toISOString();
  const ratings = voided ? [{}, {}] : ratingsOf(competitions, { id, ended, first, second, score });
  return {
    id,
    ladder_id: LADDER,
    started: new Date(endedMs - GAME_MS / 2).toISOString(),
    ended,
    winner: voided || score === 0.5 ? null : score === 1 ? first.bot : second.bot,
    voided,
    bots: [first, second].map(({ bot, name, label, house }, seat) => {
      return { id: bot, name, version: label, house, ...ratings[seat] };
    }),
  };
}

function scoreOf({ strength }: PublicPlayer, other: PublicPlayer, dice: () => number) {
  if (dice() < DRAW_SHARE) return 0.5;
  return dice() < expectedScore(strength, other.strength) ? 1 : 0;
}

type Fought = {
  id: string;
  ended: string;
  first: PublicPlayer;
  second: PublicPlayer;
  score: 0 | 0.5 | 1;
};

const versionOf = ({ bot, label }: PublicPlayer): string => `version ${bot} ${label}`;

function ratingsOf(competitions: Competitions, { id, ended, first, second, score }: Fought) {
  const { before, after } = rateGame(competitions, {
    matchId: id,
    ladderId: LADDER,
    season: SEASON.id,
    botIds: [first.bot, second.bot],
    versionIds: [versionOf(first), versionOf(second)],
    map: "cage",
    score,
    ended,
  });
  return [0, 1].map((seat) => ({ rating_before: before[seat], rating_after: after[seat] }));
}

function rowsOf(competitions: Competitions, players: readonly PublicPlayer[]): ShownRow[] {
  const { lines } = boardOf(competitions, { ladderId: LADDER, season: SEASON.id });
  const board = new Map(lines.map((line) => [line.versionId, line]));
  const bots = new Map(
    players.map(({ bot, name, status = "active" }) => {
      return [bot, { id: bot, name, status, ownerBanned: false }] as const;
    }),
  );
  const versions = players.map((one) => {
    const { bot, label, retired } = one;
    return { id: versionOf(one), botId: bot, label, created: SEASON.opens_at, retired };
  });
  return standings([...bots.values()], versions, board, QUALIFYING_GAMES).map((place) => {
    const { win_rate: _, ...figures } = versionFigures(place.rated);
    return { rank: place.rank, name: place.bot.name, version: place.version.label, ...figures };
  });
}

export type ServedLadder = {
  url: string;
  /** Requested paths, in order. */
  asked: string[];
  close(): Promise<void>;
};

export type PublicLadderServer = {
  /** Sees every answer before it is sent, and may replace it. */
  change?: (path: string, answer: unknown) => unknown;
  /** Answers in place of the server if it returns true. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  season?: Partial<typeof SEASON>;
  pageSize?: number;
  /** How many of a bot's versions its page shows; the list of versions has the others. */
  versionsShown?: number;
};

/** Serves the answers that verification reads, gzipped if accepted. */
export async function servePublic(
  ladder: PublicLadder,
  serving: PublicLadderServer = {},
): Promise<ServedLadder> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    if (serving.intercept?.(request, response) === true) return;
    const plain = answerTo(ladder, new URL(path, "http://ladder"), serving);
    const answer = serving.change === undefined ? plain : serving.change(path, plain);
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
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

/** Null for a 404. */
function answerTo(
  ladder: PublicLadder,
  { pathname, searchParams }: URL,
  serving: PublicLadderServer,
): unknown {
  const season = { ...SEASON, ...serving.season };
  const { pageSize = 500 } = serving;
  if (pathname === "/api") return indexOf(pageSize);
  if (pathname === "/api/seasons") return [season];
  if ((searchParams.get("ladder") ?? LADDER) !== LADDER) return null;
  if (pathname === "/api/leaderboard") return ladder.rows;
  if (pathname === "/api/matches") return pageOf(ladder, searchParams, pageSize);
  const [, name, list] = /^\/api\/bots\/([^/]+)(\/versions)?$/.exec(pathname) ?? [];
  const own = ladder.players.filter((one) => one.name === name);
  const versions = own.map(({ label, retired }) => ({ label, retired }));
  if (versions.length === 0) return null;
  const before = versions.findIndex(({ label }) => label === searchParams.get("before"));
  if (list !== undefined) return versions.slice(before + 1, before + 2);
  const shown = versions.slice(0, serving.versionsShown ?? versions.length);
  const status = own[0]?.status ?? "active";
  return { status, versions: shown, versions_total: versions.length };
}

function indexOf(pageSize: number): object {
  const ladder = { qualifying_games: QUALIFYING_GAMES };
  return { operational_policy: { ladder, http: { matches_list_max: pageSize } } };
}

function pageOf({ matches }: PublicLadder, query: URLSearchParams, pageSize: number) {
  const before = query.get("before");
  const from = before === null ? 0 : matches.findIndex(({ id }) => id === before) + 1;
  const limit = Math.min(pageSize, Number(query.get("limit")));
  return before !== null && from === 0 ? null : matches.slice(from, from + limit);
}
