// Plays a match between two bots without a server, using the ladder's match, referee and recording.

import type { Clock } from "#base/clock/clock.ts";
import { assertDefined } from "#base/util/assert-defined.ts";
import { gridOf } from "#core/engine/maps.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { Deadlines, MatchStats } from "#core/engine/types.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { matchDeadlines } from "#core/protocol/deadlines.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { parseClientMessage } from "#core/protocol/parse-message.ts";
import { printEnd, printError } from "#core/protocol/print-messages.ts";
import { writeReplay } from "#core/replay/write-replay.ts";
import type { FinishedMatchRecording, WrittenReplay } from "#core/replay/write-replay.ts";
import type { DebugLog, Log } from "#live/arena/arena-deps.ts";
import { openHealth } from "#live/health/health.ts";
import { MatchRunner } from "#live/match/match-runner.ts";
import type { SeatPort } from "#live/match/match-runner.ts";
import type { MatchSetup } from "#live/match/match-setup.ts";
import { createMatch } from "#live/match/match.ts";
import type { MatchState } from "#live/match/match.ts";
import { engineFactory } from "#live/match/shared-match-engine.ts";
import { winnerOf } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";
import { runningVersions } from "#server/composition/versions.ts";

/** The actions available to a player in the current match. Calls after the match are ignored. */
export type PlayerChannel = {
  /** Sends one message of the bot protocol. Invalid messages are handled as on a ladder. */
  send(text: string): void;
  forfeit(): void;
  /** Reports that the bot disconnected. `markConnected` ends this state. */
  markDisconnected(): void;
  /** Reports a new connection, which receives `hello` and the current observation again. */
  markConnected(): void;
  abort(problem: string): void;
};

/** A bot in its seat. Receives `hello`, observations and `end` for each match. */
export type Player = {
  handleMessage(text: string, wire: PlayerChannel): void;
  close(): Promise<void>;
  /** Resolves once the bot can start a match. Omit it if the bot is always ready. */
  whenReady?(): Promise<void>;
};

export type LocalMatch = { match: MatchState; verdict: Verdict };

const LOCAL_LADDER = "local";

/** A bot failed, so the match can't continue. */
export class LocalBotFailure extends Error {
  readonly seat: number;
  readonly tick: number;

  constructor(seat: number, tick: number, problem: string) {
    super(problem);
    this.seat = seat;
    this.tick = tick;
  }
}

/** Returns the ladder's deadlines in ms, optionally with a different tick limit. */
export function localDeadlines(tickMs: number = DEFAULT_LIMITS.tick_s * 1000): Deadlines {
  return { ...matchDeadlines(DEFAULT_LIMITS), tick_ms: tickMs };
}

type LocalMatchOptions = Pick<MatchSetup, "matchId" | "seed" | "started" | "deadlines"> & {
  map: string;
  names: readonly string[];
};

export function localSetup({ map, names, ...otherOptions }: LocalMatchOptions): MatchSetup {
  const grid = gridOf(map);
  if (grid === null) throw new Error(`there is no map '${map}'`);
  return {
    ...otherOptions,
    grid,
    ladderId: LOCAL_LADDER,
    mode: "practice",
    versions: runningVersions(),
    fighters: names.map((name, seat) => {
      return { id: fighterIdAt(seat), bot_id: `local-${seat + 1}`, name, version: LOCAL_LADDER };
    }),
  };
}

/** Never advances, so matches have no time limits and are reproducible. */
export const STOPPED_CLOCK: Clock = {
  now: () => 0,
  wall: () => new Date(0),
  after: () => () => {},
};

/** Plays a match to its end. Rejects with LocalBotFailure if a bot fails. */
export async function playLocalMatch(
  setup: MatchSetup,
  players: readonly Player[],
  clock: Clock,
): Promise<LocalMatch> {
  const result = Promise.withResolvers<LocalMatch>();
  const pendingMessages: { seat: number; text: string }[] = [];
  const seatPorts = players.map((_, seat): SeatPort => {
    const enqueue = (text: string) => void pendingMessages.push({ seat, text });
    const observe = (text: string, written: () => void) => {
      enqueue(text);
      written();
    };
    const refuse = (code: ErrorCode, detail?: string) => enqueue(printError(code, detail));
    return { send: enqueue, sendError: refuse, sendObservation: observe, onTurnFailed: () => {} };
  });
  const log = createFailingLog(result.reject);
  const deps = { clock: { ...clock, after: afterAndDeliver }, log, health: openHealth(clock) };
  let isDelivering = false;
  const match = createMatch(setup, engineFactory()(setup));
  const runningMatch = new MatchRunner(deps, match, seatPorts, (verdict) => {
    for (const seatPort of seatPorts) seatPort.send(createEndMessage({ match, verdict }));
    result.resolve({ match, verdict });
  });
  const channels = players.map((_, seat) =>
    createChannel(runningMatch, seat, clock, deliver, result.reject),
  );

  // Delivers messages to players after a deadline, because the deadline may have produced some.
  function afterAndDeliver(ms: number, callback: () => void): () => void {
    return clock.after(ms, () => {
      callback();
      deliver();
    });
  }

  // Prevents recursion: otherwise an immediate response would run the next tick inside this one.
  function deliver(): void {
    if (isDelivering) return;
    isDelivering = true;
    for (
      let pendingMessage = pendingMessages.shift();
      pendingMessage !== undefined;
      pendingMessage = pendingMessages.shift()
    ) {
      const { seat, text } = pendingMessage;
      assertDefined(players[seat], "player").handleMessage(
        text,
        assertDefined(channels[seat], "wire"),
      );
    }
    isDelivering = false;
  }

  runningMatch.start();
  deliver();
  return result.promise;
}

function createChannel(
  runningMatch: MatchRunner,
  seat: number,
  clock: Clock,
  deliver: () => void,
  reject: (error: Error) => void,
): PlayerChannel {
  return {
    send: (text) => {
      const message = parseClientMessage(text);
      runningMatch.handleEvent({ type: "message", seat, at: clock.now(), message });
      deliver();
    },
    forfeit: () => {
      runningMatch.handleEvent({ type: "removed", seat });
      deliver();
    },
    markDisconnected: () => {
      runningMatch.handleEvent({ type: "dropped", seat, at: clock.now() });
      deliver();
    },
    markConnected: () => {
      runningMatch.handleEvent({ type: "attached", seat, at: clock.now() });
      deliver();
    },
    abort: (problem) => {
      runningMatch.abandon();
      reject(new LocalBotFailure(seat, runningMatch.state.tick, problem));
    },
  };
}

/** Rejects on the referee's own errors, because its log isn't displayed anywhere. */
function createFailingLog(reject: (error: unknown) => void): Log & DebugLog {
  const rejectWithError = (fields: { error?: unknown }, text: string) =>
    reject(fields.error ?? text);
  return { debug: () => {}, info: () => {}, warn: () => {}, error: rejectWithError };
}

function createEndMessage(localMatch: LocalMatch): string {
  const { match, verdict } = localMatch;
  const winner = winnerOf(verdict);
  return printEnd({
    matchId: match.setup.matchId,
    ladderId: match.setup.ladderId,
    winner: winner === null ? null : fighterIdAt(winner),
    reason: verdict.reason,
    voided: verdict.kind === "void",
    mode: "practice",
    unratedReason: "mode",
    ratingChange: null,
    stats: JSON.stringify(localMatchStats(localMatch)),
  });
}

/** Returns the statistics; null if a server fault voided the match. */
export function localMatchStats(localMatch: LocalMatch): MatchStats | null {
  return writeLocalMatch(localMatch).stats;
}

/** Returns the replay as text. Its mode marks the match as unrated. */
export function localMatchReplay(localMatch: LocalMatch): string {
  return writeLocalMatch(localMatch).replay;
}

function writeLocalMatch({ match, verdict }: LocalMatch): WrittenReplay {
  const record = match.engine.record(verdict) as FinishedMatchRecording;
  return writeReplay({ ...record, header: { ...record.header, mode: LOCAL_LADDER } });
}
