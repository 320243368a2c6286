// Runs matches on shared engines. Hundreds of matches share one engine per map and store only their
// own state words, which keeps the engine's arrays in the CPU caches.

import { eventsOf } from "#core/engine/events.ts";
import { copyFight, createFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { frameOf } from "#core/engine/frame.ts";
import type { Grid } from "#core/engine/grid.ts";
import { hashToText, hashState } from "#core/engine/hash.ts";
import { observationFor, sharedObservation } from "#core/engine/observe.ts";
import type { SharedObservation } from "#core/engine/observe.ts";
import { winnerAtTickLimit, outcome } from "#core/engine/outcome.ts";
import type { Outcome } from "#core/engine/outcome.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn, cleanTurn } from "#core/engine/turn.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { RecordedTurn, ReplayHeader } from "#core/engine/types.ts";
import { printObservation } from "#core/protocol/print-observation.ts";
import { finishTick, recordSeat, startRecording, recordedTurnAt } from "#core/replay/recording.ts";
import type { Recording } from "#core/replay/recording.ts";
import type { FinishedMatchRecording } from "#core/replay/write-replay.ts";

import type { CreateMatchEngine, MatchEngine, ServerFields } from "./match-engine.ts";
import type { MatchSetup } from "./match-setup.ts";
import type { Seat } from "./seat.ts";
import { winnerOf } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

type SharedEngine = {
  readonly engineState: Fight;
  currentMatch: EngineMatch | null;
  /** Observation data shared by both seats; null until an observation is requested. */
  scene: SharedObservation | null;
};

export function engineFactory(): CreateMatchEngine {
  const sharedEngines = new Map<Grid, SharedEngine[]>();
  return (setup) => {
    const { grid, fighters } = setup;
    const enginesOfGrid = sharedEngines.get(grid) ?? [];
    sharedEngines.set(grid, enginesOfGrid);
    const sharedEngine = (enginesOfGrid[fighters.length] ??= {
      engineState: createFight(grid, 0, fighters.length),
      currentMatch: null,
      scene: null,
    });
    return new EngineMatch(setup, sharedEngine);
  };
}

export class EngineMatch implements MatchEngine {
  readonly #setup: MatchSetup;
  readonly #engineState: SharedEngine;
  readonly #words: Int32Array;
  readonly #recording: Recording;

  constructor(setup: MatchSetup, engineState: SharedEngine) {
    const { grid, seed, fighters } = setup;
    this.#setup = setup;
    this.#engineState = engineState;
    this.#words = createFight(grid, seed, fighters.length).words;
    this.#recording = startRecording(fighters.length);
  }

  printObservationFor(seat: number, { budgetMs, lastReplyMs, lastFailure }: ServerFields): string {
    const engineState = this.engineState();
    this.#engineState.scene ??= sharedObservation(engineState);
    const observed = observationFor(engineState, seat, this.#engineState.scene);
    return printObservation(this.#setup.matchId, observed, budgetMs, lastReplyMs, lastFailure);
  }

  play(seats: readonly Seat[]): Outcome | null {
    const engineState = this.#load();
    for (const [seat, seatState] of seats.entries()) {
      const turn = recordedTurnOf(seatState);
      setSeatTurn(engineState, seat, turn);
      recordSeat(this.#recording, seat, turn, seatState.lastReply, seatState.budget);
    }
    // If `step` throws, the engine's state is invalid for every match.
    this.#setCurrentMatch(null);
    step(engineState);
    this.#setCurrentMatch(this);
    this.#words.set(engineState.words);
    finishTick(this.#recording);
    return outcome(engineState);
  }

  leaderAtLimit(): number | null {
    return winnerAtTickLimit(this.#load());
  }

  /** Rejected actions are left out: only the bot itself learns about them during the match. */
  printFrame(): string {
    const fight = this.engineState();
    const events = eventsOf(fight).filter(({ type }) => type !== "rejected");
    return JSON.stringify({ ...frameOf(fight), events });
  }

  record(verdict: Verdict): FinishedMatchRecording {
    const { ticks } = this.#recording;
    const winner = winnerOf(verdict);
    return {
      header: headerOf(this.#setup),
      recording: this.#recording,
      winner: winner === null ? null : fighterIdAt(winner),
      reason: verdict.reason,
      hash: ticks === 0 ? null : hashToText(hashState(this.#load())),
    };
  }

  blankRecord(): FinishedMatchRecording {
    return {
      header: headerOf(this.#setup),
      recording: startRecording(this.#setup.fighters.length),
      winner: null,
      reason: "server_fault",
      hash: null,
    };
  }

  /**
   * Returns the engine loaded with this match's state and the events of its last tick. Valid until
   * another match uses the engine.
   */
  engineState(): Fight {
    if (this.#engineState.currentMatch !== this) this.#replay();
    return this.#engineState.engineState;
  }

  /** Loads the state without the events of the last tick. */
  #load(): Fight {
    const { engineState, currentMatch } = this.#engineState;
    if (currentMatch === this) return engineState;
    engineState.words.set(this.#words);
    this.#setCurrentMatch(this);
    return engineState;
  }

  /**
   * Replays the match to restore the events of its last tick. This is rare: only an observation for
   * a new connection is requested late.
   */
  #replay(): void {
    const { grid, seed, fighters } = this.#setup;
    const { engineState } = this.#engineState;
    const recording = this.#recording;
    copyFight(createFight(grid, seed, fighters.length), engineState);
    for (let tick = 0; tick < recording.ticks; tick += 1) {
      for (let seat = 0; seat < recording.seats; seat += 1)
        setSeatTurn(engineState, seat, recordedTurnAt(recording, tick, seat));
      step(engineState);
    }
    this.#setCurrentMatch(this);
  }

  #setCurrentMatch(currentMatch: EngineMatch | null): void {
    this.#engineState.currentMatch = currentMatch;
    this.#engineState.scene = null;
  }
}

function recordedTurnOf({ decision, lastFailure }: Seat): RecordedTurn {
  if (lastFailure !== null) return { idle: lastFailure.reason };
  return decision.state === "turn" ? cleanTurn(decision.turn) : null;
}

function headerOf(setup: MatchSetup): ReplayHeader {
  const { grid, seed, fighters } = setup;
  return {
    match_id: setup.matchId,
    ladder_id: setup.ladderId,
    mode: setup.mode,
    started: setup.started,
    versions: setup.versions,
    seed,
    deadlines: setup.deadlines,
    map: { name: grid.name, rows: grid.rows },
    fighters,
  };
}
