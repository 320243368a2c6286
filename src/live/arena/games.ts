// Turns pairings into matches, and finished matches into stored results, `end` messages and boards.

import { sure } from "#base/units/sure.ts";
import { SECOND } from "#base/units/time.ts";
import type { Grid } from "#core/engine/grid.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { IdleReason } from "#core/engine/types.ts";
import { seatFigures } from "#core/ladder/seat-figures.ts";
import type { Reasons, Start } from "#core/pairing/types.ts";
import { deadlinesOf } from "#core/protocol/deadlines.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { printEnd, printError } from "#core/protocol/print.ts";
import type { LadderId, MatchId, RequestId } from "#core/words/ids.ts";
import type { VersionRecord } from "#data/store/version.ts";
import { createMatch } from "#live/match/match.ts";
import { RunningMatch } from "#live/match/run-match.ts";
import type { SeatPort } from "#live/match/run-match.ts";
import type { MatchSetup } from "#live/match/setup.ts";
import { winnerOf } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";
import type { RatingChange } from "#live/matchmaker/matchmaker.ts";
import { boardOf, competitionNow } from "#live/standings/season.ts";

import { meetingsOn, pairKey, startKey } from "./arena-state.ts";
import type { ArenaState } from "./arena-state.ts";
import { cutOff, endSession } from "./arrivals.ts";
import { concluding } from "./drain.ts";
import { leaveMatch } from "./flood.ts";
import { noteStart } from "./quota.ts";
import { beginRequest, endRequest } from "./requests.ts";
import { saveMatch } from "./save-match.ts";
import type { Contest, Saved } from "./save-match.ts";
import type { Game } from "./session.ts";
import { reads, sitDown, tell, tellObservation, visitOf, waitingBytes } from "./session.ts";
import type { Session } from "./session.ts";

/** How many of the latest waits and matches the estimate in `queued` is based on. */
const REMEMBERED = 50;

type GameFacts = Omit<Game, "running">;

/** A pairing of a wave: two waiting sessions in seat order, their map and the reasons. */
export type PairedSessions = Start & {
  ladderId: LadderId;
  sessions: readonly [Session, Session];
  versions: readonly [VersionRecord, VersionRecord];
  grid: Grid;
  reasons: Reasons;
  /** The opponent request that it is to serve; null for none. */
  requestId: RequestId | null;
};

/**
 * Puts both bots into a new match. If making it fails, they stay where they are; the same goes for
 * the turn of a month, since they were paired by the ratings of the previous season.
 */
export function startGame(arena: ArenaState, pairing: PairedSessions): void {
  const { deps } = arena;
  const at = deps.clock.now();
  const started = deps.clock.wall().toISOString();
  const competition = competitionNow(arena, pairing.ladderId, started);
  if (competition === null) return;
  const facts: GameFacts = {
    id: pairing.matchId,
    ...competition,
    map: pairing.grid.name,
    seed: pairing.seed,
    deadlines: deadlinesOf(deps.settings.current()),
    started,
    startedAt: at,
    sessions: pairing.sessions,
    versions: pairing.versions,
    owners: [pairing.sessions[0].bot.ownerId, pairing.sessions[1].bot.ownerId],
    reasons: pairing.reasons,
    requestId: pairing.requestId,
  };
  const setup = setupOf(arena, facts, pairing.grid);
  const match = createMatch(setup, deps.fights(setup));
  const ports = facts.sessions.map((session) => new BotPort(arena, session, facts.id));
  const end = (verdict: Verdict) => void conclude(arena, game, verdict);
  const game: Game = { ...facts, running: new RunningMatch(deps, match, ports, end) };
  arena.games.set(game.id, game);
  arena.lastStartOn.set(game.ladderId, at);
  for (const [seat, session] of game.sessions.entries()) take(arena, game, session, seat, at);
  if (game.requestId !== null) beginRequest(arena, game.requestId, game.id);
  game.running.open();
}

/** Moves the bot from the queue to its seat. */
function take(arena: ArenaState, game: Game, session: Session, seat: number, at: number): void {
  const { bot, activity } = session;
  if (activity.state === "waiting") remember(arena.waits, (at - activity.entry.since) / SECOND);
  sitDown(session, game, seat);
  arena.lastStart.set(startKey(bot, game.ladderId), at);
  noteStart(arena.starts, bot.id, bot.ownerId, at);
}

function remember(values: number[], value: number): void {
  values.push(value);
  if (values.length > REMEMBERED) values.shift();
}

/** The seat of a bot, which has a session. */
export class BotPort implements SeatPort {
  readonly #arena: ArenaState;
  readonly #session: Session;
  readonly #matchId: MatchId;

  constructor(arena: ArenaState, session: Session, matchId: MatchId) {
    this.#arena = arena;
    this.#session = session;
    this.#matchId = matchId;
  }

  send(text: string): void {
    const before = waitingBytes(this.#session);
    tell(this.#session, text);
    noteSend(this.#arena, this.#session, before);
  }

  refuse(code: ErrorCode, detail?: string): void {
    this.send(printError(code, detail));
    if (!this.#session.bot.house) this.#arena.deps.health.refused(code);
  }

  observe(text: string, written: () => void): void {
    const before = waitingBytes(this.#session);
    tellObservation(this.#session, text, written);
    noteSend(this.#arena, this.#session, before);
  }

  /** The house answers for its own bots: their failures are faults of this server. */
  failed(reason: IdleReason): void {
    const { bot } = this.#session;
    if (!bot.house) return;
    this.#arena.deps.health.house("failed_turns");
    const fields = { bot: bot.name, matchId: this.#matchId, reason };
    this.#arena.deps.log.warn(fields, "a turn of a house bot failed");
  }
}

/** Cuts off a bot that does not read what it is sent once its buffer is full. */
function noteSend(arena: ArenaState, session: Session, before: number): void {
  arena.deps.health.sent(before, waitingBytes(session));
  if (!reads(session)) cutOff(arena, session);
}

function setupOf({ deps }: ArenaState, game: GameFacts, grid: Grid): MatchSetup {
  return {
    matchId: game.id,
    ladderId: game.ladderId,
    mode: "ranked",
    started: game.started,
    versions: deps.versions,
    seed: game.seed,
    grid,
    deadlines: game.deadlines,
    fighters: game.sessions.map(({ bot }, seat) => ({
      id: fighterIdAt(seat),
      bot_id: bot.id,
      name: bot.name,
      version: sure(game.versions[seat], "version").label,
    })),
  };
}

/** First the store, then the two bots, then the board. */
async function conclude(arena: ArenaState, game: Game, verdict: Verdict): Promise<void> {
  const board = boardOf(arena, game);
  let sequence = -1;
  await concluding(arena, game.id, async () => {
    const contest = contestOf(game);
    const saved = await saveMatch(arena.deps, arena.trouble, contest, verdict, (change) => {
      sequence = change.sequence;
      board?.begin(sequence);
    });
    noteGame(arena, game, saved);
    release(arena, game, saved);
    if (sequence === -1) return;
    if (saved.verdict.kind === "void") board?.abandon(sequence);
    else board?.commit(sequence);
  });
}

/** The bots with their names and owners of this moment. */
function contestOf({ sessions: [a, b], versions: [ofA, ofB], ...game }: Game): Contest {
  const contestants = [
    { bot: a.bot, version: ofA },
    { bot: b.bot, version: ofB },
  ] as const;
  return { ...game, contestants };
}

/** Matches that nobody played say nothing about play: voided ones, and those lost in start-up. */
function noteGame({ deps }: ArenaState, game: Game, { verdict, stats }: Saved): void {
  const { tick, setup } = game.running.match;
  if (setup.mode !== "ranked" || verdict.kind === "void" || tick === 0) return;
  const figures = seatFigures(stats);
  const sum = (name: "moves" | "dashes") =>
    figures.reduce((total, figure) => total + figure[name], 0);
  const duration = deps.clock.now() - game.startedAt;
  deps.health.game({ turns: tick, moves: sum("moves"), dashes: sum("dashes"), duration });
}

function gainOf({ before, after }: RatingChange, seat: number): number {
  return sure(after[seat], "rating") - sure(before[seat], "rating");
}

function release(arena: ArenaState, game: Game, saved: Saved): void {
  const { change } = saved;
  arena.games.delete(game.id);
  if (game.requestId !== null) endRequest(arena, game.requestId, saved.verdict.kind !== "void");
  const [first, second] = game.sessions;
  const now = arena.deps.clock.now();
  remember(arena.lengths, (now - game.startedAt) / SECOND);
  const { met, lastOpponent } = meetingsOn(arena, game.ladderId);
  met.set(pairKey(first.bot.id, second.bot.id), now);
  lastOpponent.set(first.bot.id, second.bot.id);
  lastOpponent.set(second.bot.id, first.bot.id);
  for (const [seat, session] of game.sessions.entries()) {
    const gained = change === null ? null : gainOf(change, seat);
    free(arena, session, endText(game, saved, gained));
  }
}

/** The `end` of a stored match; `gained` in points, null for an unrated one. */
export function endText(
  { id, ladderId, running }: Pick<Contest, "id" | "ladderId" | "running">,
  { verdict, stats, unratedReason }: Saved,
  gained: number | null,
): string {
  const winner = winnerOf(verdict);
  return printEnd({
    matchId: id,
    ladderId,
    mode: running.match.setup.mode,
    winner: winner === null ? null : fighterIdAt(winner),
    reason: verdict.reason,
    voided: verdict.kind === "void",
    unratedReason,
    ratingChange: gained,
    stats: stats ?? "null",
  });
}

/** Frees the seat: the bot is told and may queue again, or its session ends with the match. */
export function free(arena: ArenaState, session: Session, text: string): void {
  const visit = visitOf(session);
  if (visit === null) {
    endSession(arena, session);
    return;
  }
  session.activity = { state: "idle", visit };
  leaveMatch(visit.flood, arena.deps.settings.current());
  tell(session, text);
  if (!reads(session)) cutOff(arena, session);
}
