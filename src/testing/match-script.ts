// A match without a server: virtual time, what both fighters say, and all that they are told.

import assert from "node:assert/strict";

import { writeUp } from "#archive/write-up.ts";
import type { FightRecord, Report } from "#archive/write-up.ts";
import { engineFights } from "#arena/engine-fight.ts";
import type { EngineFight } from "#arena/engine-fight.ts";
import { advance, createMatch, nextDue } from "#arena/match.ts";
import type { Match, MatchEffect, MatchEvent, MatchSetup, Verdict } from "#arena/match.ts";
import type { Fight } from "#engine/fight.ts";
import { gridOf } from "#engine/maps.ts";
import { resimulate, statsOfReplay } from "#engine/replay.ts";
import { ENGINE_VERSION, RULES_VERSION } from "#engine/rules.ts";
import type { Deadlines, Replay, ReplayTick } from "#engine/types.ts";
import { deadlinesOf } from "#protocol/deadlines.ts";
import { LIMITS } from "#protocol/limits.ts";
import { BINARY_FRAME, parseMessage } from "#protocol/parse.ts";
import { printError } from "#protocol/print.ts";
import { parseReplay } from "#protocol/replay.ts";

import { checkServerMessage } from "./message-check.ts";
import type { Heard } from "./message-check.ts";

export type ScriptOptions = {
  deadlines?: Partial<Deadlines>;
  map?: string;
  seed?: number;
  /** Time (µs) that passes before a written observation counts as written. */
  writeUs?: number;
};

type Said = { seat: number; at: number; message: Heard };

export type MatchScript = {
  readonly match: Match;
  /** Everything both fighters were told, in the order of writing; `at` in µs. */
  readonly told: Said[];
  /** How often the match said that it was over. */
  readonly overs: () => number;
  now(): number;
  /** An object as JSON, a text as it is, null as a binary frame. */
  say(seat: number, frame: object | string | null): void;
  /** Lets so many milliseconds pass; everything falls due in its order. */
  wait(ms: number): void;
  drop(seat: number): void;
  attach(seat: number): void;
  remove(seat: number): void;
  /** The process stands still for so many milliseconds, then notices. */
  stall(ms: number): void;
};

/** More than any match has ticks. */
const MOST_ROUNDS = 1000;
const VERSIONS = { engine: ENGINE_VERSION, protocol: "0.6", rules: RULES_VERSION, rules_hash: "" };

/** Opens a match at time zero; both fighters are connected. */
export function openScript(options: ScriptOptions = {}): MatchScript {
  const { deadlines, map = "cage", seed = 7, writeUs = 0 } = options;
  const setup: MatchSetup = {
    matchId: "match-1",
    ladderId: "public",
    mode: "ranked",
    started: "2026-01-05T12:00:00.000Z",
    versions: VERSIONS,
    seed,
    grid: gridOf(map)!,
    deadlines: { ...deadlinesOf(LIMITS), ...deadlines },
    fighters: [
      { id: "A", bot_id: "bot-a", name: "alpha", version: "v1" },
      { id: "B", bot_id: "bot-b", name: "beta", version: "v2" },
    ],
  };
  const match = createMatch(setup, engineFights()(setup));
  const told: Said[] = [];
  let now = 0;
  let overs = 0;

  function take(event: MatchEvent): void {
    for (const effect of advance(match, event)) perform(effect);
  }

  function perform(effect: MatchEffect): void {
    if (effect.type === "over") {
      overs += 1;
      return;
    }
    const { seat } = effect;
    const text = effect.type === "refuse" ? printError(effect.code, effect.detail) : effect.text;
    const message = JSON.parse(text) as Heard;
    checkServerMessage(message);
    if (effect.type === "observe") now += writeUs;
    told.push({ seat, at: now, message });
    if (effect.type === "observe") take({ type: "written", seat, at: now });
  }

  function wait(ms: number): void {
    const end = now + Math.round(ms * 1000);
    let rounds = 0;
    while (nextDue(match) <= end) {
      assert.ok((rounds += 1) < MOST_ROUNDS, "time passes");
      now = Math.max(now, nextDue(match));
      take({ type: "due", at: now });
    }
    now = Math.max(now, end);
  }

  take({ type: "opened", at: now });
  return {
    match,
    told,
    overs: () => overs,
    now: () => now,
    say: (seat, frame) => {
      const text = typeof frame === "string" ? frame : JSON.stringify(frame);
      const message = frame === null ? BINARY_FRAME : parseMessage(text);
      take({ type: "message", seat, at: now, message });
    },
    wait,
    drop: (seat) => take({ type: "dropped", seat, at: now }),
    attach: (seat) => take({ type: "attached", seat, at: now }),
    remove: (seat) => take({ type: "removed", seat }),
    stall: (ms) => {
      now += Math.round(ms * 1000);
      take({ type: "stalled", at: now, lateness: Math.round(ms * 1000) });
    },
  };
}

/** Both say ready at once. */
export function playing(options: ScriptOptions = {}): MatchScript {
  const script = openScript(options);
  script.say(0, { type: "ready" });
  script.say(1, { type: "ready" });
  return script;
}

/** The seat answers the running tick with these parts. */
export function answer({ match, say }: MatchScript, seat: number, parts: object = {}): void {
  say(seat, { type: "turn", tick: match.tick, ...parts });
}

/** Plays until that tick is open or the match is over; each seat says its frame or nothing. */
export function playTo(
  script: MatchScript,
  tick: number,
  said: (seat: number, tick: number) => object | string | null | undefined = () => ({}),
): void {
  const { match } = script;
  while (match.phase === "playing" && match.tick < tick) {
    const { tick: running } = match;
    const frames = [0, 1].map((seat) => said(seat, running));
    for (const [seat, frame] of frames.entries()) {
      if (frame === undefined) continue;
      if (typeof frame === "object" && frame !== null)
        script.say(seat, { type: "turn", tick: running, ...frame });
      else script.say(seat, frame);
    }
    if (match.tick === running) script.wait(match.setup.deadlines.tick_ms);
  }
}

/** What a seat was told, of one type. */
export function toldTo({ told }: MatchScript, seat: number, type?: string): Heard[] {
  const mine = told.filter((said) => said.seat === seat).map(({ message }) => message);
  return type === undefined ? mine : mine.filter((message) => message.type === type);
}

/** The latest observation of a seat. */
export function lastSeen(script: MatchScript, seat: number): Heard {
  return toldTo(script, seat, "observation").at(-1)!;
}

/**
 * The finished match's replay, after it was simulated again: the same hashes, the same result, and
 * the statistics counted from it are those of the match.
 */
export function verifiedReplay({ match, overs }: MatchScript): Replay {
  assert.ok(match.verdict, "the match is over");
  assert.ok(overs() <= 1, "a match ends once");
  const report = reportOf(match, match.verdict);
  const replay = parseReplay(report.replay);
  if ("error" in replay) throw new Error(replay.error);
  const played = resimulate(replay);
  assert.equal(played.ok, true, JSON.stringify(played));
  assert.deepEqual(statsOfReplay(replay), report.stats);
  assert.equal(replay.ticks.length, match.tick);
  return replay;
}

/** The ticks that were written down so far. */
export function ticksOf(match: Match): ReplayTick[] {
  const unfinished = { voided: true, winner: null, reason: "server_fault" } as const;
  const [, ...lines] = reportOf(match, unfinished).replay.trimEnd().split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as ReplayTick);
}

/** Replay and statistics of a match, as if it had ended so. */
export function reportOf({ fight }: Match, verdict: Verdict): Report {
  return writeUp(fight.record(verdict) as FightRecord);
}

/** The engine's state of a match, with the log of its last tick. */
export function stageOf({ fight }: Match): Fight {
  return (fight as EngineFight).stage();
}

/** How a match ended, in one line. */
export function ending({ match }: MatchScript): string {
  if (match.verdict === null) return `${match.phase} at ${match.tick}`;
  const { voided, winner, reason } = match.verdict;
  const who = winner === null ? "nobody" : "AB"[winner];
  return `${voided ? "void" : who} by ${reason} at ${match.tick}`;
}
