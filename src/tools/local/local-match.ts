// A match between two bots without a server, but with the ladder's own match, referee and
// recording.

import type { Clock } from "#base/clock/clock.ts";
import { sure } from "#base/units/sure.ts";
import { gridOf } from "#core/engine/maps.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { Deadlines, MatchStats } from "#core/engine/types.ts";
import { deadlinesOf } from "#core/protocol/deadlines.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { parseMessage } from "#core/protocol/parse.ts";
import { printEnd, printError } from "#core/protocol/print.ts";
import { writeUp } from "#core/replay/write-up.ts";
import type { FightRecord, WrittenMatch } from "#core/replay/write-up.ts";
import { LIMITS } from "#core/words/limits.ts";
import type { DebugLog, Log } from "#live/arena/deps.ts";
import { openHealth } from "#live/health/health.ts";
import { engineFights } from "#live/match/engine-fight.ts";
import { createMatch } from "#live/match/match.ts";
import type { MatchState } from "#live/match/match.ts";
import { RunningMatch } from "#live/match/run-match.ts";
import type { SeatPort } from "#live/match/run-match.ts";
import type { MatchSetup } from "#live/match/setup.ts";
import { winnerOf } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";
import { playedVersions } from "#server/composition/versions.ts";

/** How a player answers in the current match. Ignored after its end. */
export type Wire = {
  /** Sends one message of the bot protocol, valid or not. */
  say(text: string): void;
  /** Gives up the match: the other side wins by forfeit. */
  leave(): void;
  /** Reports that the bot lost its connection; it may come back with `attach`. */
  drop(): void;
  /** Reports a new connection: it gets `hello` and the current observation again. */
  attach(): void;
  /** Reports that the bot is broken and the match cannot continue. */
  fail(problem: string): void;
};

/** A bot in its seat. It hears hello, observations and end, in match after match. */
export type Player = {
  hear(text: string, wire: Wire): void;
  close(): Promise<void>;
  /** Resolves when the bot can start a match. Absent if it always can. */
  whenReady?(): Promise<void>;
};

/** A finished match. */
export type LocalMatch = { match: MatchState; verdict: Verdict };

const LOCAL_LADDER = "local";

/** A bot broke, in tick `tick`. */
export class ContestantFailure extends Error {
  readonly seat: number;
  readonly tick: number;

  constructor(seat: number, tick: number, problem: string) {
    super(problem);
    this.seat = seat;
    this.tick = tick;
  }
}

/** The ladder's deadlines, optionally with a different one for a tick, in ms. */
export function localDeadlines(tickMs: number = LIMITS.tick_s * 1000): Deadlines {
  return { ...deadlinesOf(LIMITS), tick_ms: tickMs };
}

type Setting = Pick<MatchSetup, "matchId" | "seed" | "started" | "deadlines"> & {
  map: string;
  /** In seat order. */
  names: readonly string[];
};

export function localSetup({ map, names, ...setting }: Setting): MatchSetup {
  const grid = gridOf(map);
  if (grid === null) throw new Error(`there is no map '${map}'`);
  return {
    ...setting,
    grid,
    ladderId: LOCAL_LADDER,
    mode: "practice",
    versions: playedVersions(),
    fighters: names.map((name, seat) => {
      return { id: fighterIdAt(seat), bot_id: `local-${seat + 1}`, name, version: LOCAL_LADDER };
    }),
  };
}

/** Never advances: a match on it has no time limits and is the same every time. */
export const STILL_CLOCK: Clock = {
  now: () => 0,
  wall: () => new Date(0),
  after: () => () => {},
};

/** Plays a match to its end. Rejects with a ContestantFailure if a bot breaks. */
export async function playMatch(
  setup: MatchSetup,
  players: readonly Player[],
  clock: Clock,
): Promise<LocalMatch> {
  const ended = Promise.withResolvers<LocalMatch>();
  const mail: { seat: number; text: string }[] = [];
  const ports = players.map((_, seat): SeatPort => {
    const post = (text: string) => void mail.push({ seat, text });
    const observe = (text: string, written: () => void) => {
      post(text);
      written();
    };
    const refuse = (code: ErrorCode, detail?: string) => post(printError(code, detail));
    return { send: post, refuse, observe, failed: () => {} };
  });
  const log = failingLog(ended.reject);
  const deps = { clock: { ...clock, after: afterAndDeliver }, log, health: openHealth(clock) };
  let isDelivering = false;
  const match = createMatch(setup, engineFights()(setup));
  const running = new RunningMatch(deps, match, ports, (verdict) => {
    for (const port of ports) port.send(endOf({ match, verdict }));
    ended.resolve({ match, verdict });
  });
  const wires = players.map((_, seat) => wireOf(running, seat, clock, deliver, ended.reject));

  // What a deadline decides has to reach the players too.
  function afterAndDeliver(ms: number, call: () => void): () => void {
    return clock.after(ms, () => {
      call();
      deliver();
    });
  }

  // Otherwise, immediate answers would nest one tick inside another.
  function deliver(): void {
    if (isDelivering) return;
    isDelivering = true;
    for (let letter = mail.shift(); letter !== undefined; letter = mail.shift()) {
      const { seat, text } = letter;
      sure(players[seat], "player").hear(text, sure(wires[seat], "wire"));
    }
    isDelivering = false;
  }

  running.open();
  deliver();
  return ended.promise;
}

function wireOf(
  running: RunningMatch,
  seat: number,
  clock: Clock,
  deliver: () => void,
  reject: (error: Error) => void,
): Wire {
  return {
    say: (text) => {
      const message = parseMessage(text);
      running.take({ type: "message", seat, at: clock.now(), message });
      deliver();
    },
    leave: () => {
      running.take({ type: "removed", seat });
      deliver();
    },
    drop: () => {
      running.take({ type: "dropped", seat, at: clock.now() });
      deliver();
    },
    attach: () => {
      running.take({ type: "attached", seat, at: clock.now() });
      deliver();
    },
    fail: (problem) => {
      running.abandon();
      reject(new ContestantFailure(seat, running.match.tick, problem));
    },
  };
}

/** The referee's own faults end the run: nobody here reads a log. */
function failingLog(reject: (error: unknown) => void): Log & DebugLog {
  const fail = (fields: { error?: unknown }, text: string) => reject(fields.error ?? text);
  return { debug: () => {}, info: () => {}, warn: () => {}, error: fail };
}

function endOf(played: LocalMatch): string {
  const { match, verdict } = played;
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
    stats: JSON.stringify(statsOfMatch(played)),
  });
}

/** The statistics, or null if a server fault voided the match. */
export function statsOfMatch(played: LocalMatch): MatchStats | null {
  return reportOf(played).stats;
}

/** The replay's text. Its mode says that the match was not rated. */
export function replayOfMatch(played: LocalMatch): string {
  return reportOf(played).replay;
}

function reportOf({ match, verdict }: LocalMatch): WrittenMatch {
  const record = match.fight.record(verdict) as FightRecord;
  return writeUp({ ...record, header: { ...record.header, mode: LOCAL_LADDER } });
}
