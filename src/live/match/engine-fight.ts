// A match's fight on the engine. Hundreds of matches share one stage per map. A match keeps only
// the words of its state, so that the engine's arrays stay in the processor's caches.

import { copyFight, startFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import type { Grid } from "#core/engine/grid.ts";
import { hex8, stateHash } from "#core/engine/hash.ts";
import { observe, sceneOf } from "#core/engine/observe.ts";
import type { SharedScene } from "#core/engine/observe.ts";
import { decideAtLimit, outcome } from "#core/engine/outcome.ts";
import type { Outcome } from "#core/engine/outcome.ts";
import { step } from "#core/engine/step.ts";
import { setTurn, cleanTurn } from "#core/engine/turn.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { RecordedTurn, ReplayHeader } from "#core/engine/types.ts";
import { printObservation } from "#core/protocol/print-observation.ts";
import { closeTick, recordSeat, startRecording, turnAt } from "#core/replay/recording.ts";
import type { Recording } from "#core/replay/recording.ts";
import type { FightRecord } from "#core/replay/write-up.ts";

import type { Fights, MatchFight, Told } from "./fight-port.ts";
import type { Seat } from "./seat.ts";
import type { MatchSetup } from "./setup.ts";
import { winnerOf } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** Where the matches on one map are played, one tick of one match at a time. */
type Stage = {
  readonly fight: Fight;
  holder: EngineFight | null;
  /** The scene of the holder's state; null until somebody is told of it. */
  scene: SharedScene | null;
};

/** Fights on the engine, with shared stages. */
export function engineFights(): Fights {
  const stages = new Map<Grid, Stage[]>();
  return (setup) => {
    const { grid, fighters } = setup;
    const known = stages.get(grid) ?? [];
    stages.set(grid, known);
    const stage = (known[fighters.length] ??= {
      fight: startFight(grid, 0, fighters.length),
      holder: null,
      scene: null,
    });
    return new EngineFight(setup, stage);
  };
}

export class EngineFight implements MatchFight {
  readonly #setup: MatchSetup;
  readonly #stage: Stage;
  readonly #words: Int32Array;
  readonly #recording: Recording;

  constructor(setup: MatchSetup, stage: Stage) {
    const { grid, seed, fighters } = setup;
    this.#setup = setup;
    this.#stage = stage;
    this.#words = startFight(grid, seed, fighters.length).words;
    this.#recording = startRecording(fighters.length);
  }

  observation(seat: number, { budgetMs, lastReplyMs, failed }: Told): string {
    const fight = this.stage();
    this.#stage.scene ??= sceneOf(fight);
    const seen = observe(fight, seat, this.#stage.scene);
    return printObservation(this.#setup.matchId, seen, budgetMs, lastReplyMs, failed);
  }

  play(seats: readonly Seat[]): Outcome | null {
    const fight = this.#enter();
    for (const [seat, played] of seats.entries()) {
      const turn = turnOf(played);
      setTurn(fight, seat, turn);
      recordSeat(this.#recording, seat, turn, played.replied, played.budget);
    }
    // If the engine throws, the content of the stage is worthless.
    this.#hold(null);
    step(fight);
    this.#hold(this);
    this.#words.set(fight.words);
    closeTick(this.#recording);
    return outcome(fight);
  }

  leader(): number | null {
    return decideAtLimit(this.#enter());
  }

  record(verdict: Verdict): FightRecord {
    const { ticks } = this.#recording;
    const winner = winnerOf(verdict);
    return {
      header: headerOf(this.#setup),
      recording: this.#recording,
      winner: winner === null ? null : fighterIdAt(winner),
      reason: verdict.reason,
      hash: ticks === 0 ? null : hex8(stateHash(this.#enter())),
    };
  }

  blankRecord(): FightRecord {
    return {
      header: headerOf(this.#setup),
      recording: startRecording(this.#setup.fighters.length),
      winner: null,
      reason: "server_fault",
      hash: null,
    };
  }

  /** The fight with the log of its last tick. Valid until another match plays on the stage. */
  stage(): Fight {
    if (this.#stage.holder !== this) this.#playAgain();
    return this.#stage.fight;
  }

  /** Puts only the state on the stage. */
  #enter(): Fight {
    const { fight, holder } = this.#stage;
    if (holder === this) return fight;
    fight.words.set(this.#words);
    this.#hold(this);
    return fight;
  }

  /**
   * Recovers the events of a tick by playing the match again. Rare: only a newcomer needs them
   * late.
   */
  #playAgain(): void {
    const { grid, seed, fighters } = this.#setup;
    const { fight } = this.#stage;
    const recording = this.#recording;
    copyFight(startFight(grid, seed, fighters.length), fight);
    for (let tick = 0; tick < recording.ticks; tick += 1) {
      for (let seat = 0; seat < recording.seats; seat += 1)
        setTurn(fight, seat, turnAt(recording, tick, seat));
      step(fight);
    }
    this.#hold(this);
  }

  #hold(holder: EngineFight | null): void {
    this.#stage.holder = holder;
    this.#stage.scene = null;
  }
}

function turnOf({ decision, failed }: Seat): RecordedTurn {
  if (failed !== null) return { idle: failed.reason };
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
