// A real bout between two scripted fighters, recorded as the server would: what the tests are shown.
import { directionOf, distanceOf } from "#engine/codes.ts";
import { TICK, isOver, startFight } from "#engine/fight.ts";
import type { Fight } from "#engine/fight.ts";
import { parseGrid } from "#engine/grid.ts";
import type { Grid } from "#engine/grid.ts";
import { EMPTY_TRACE, extendTrace, hex8, stateHash, traceHash } from "#engine/hash.ts";
import { gridOf, mapView } from "#engine/maps.ts";
import type { MapName } from "#engine/maps.ts";
import { outcome } from "#engine/outcome.ts";
import { ENGINE_VERSION, RULES, RULES_VERSION } from "#engine/rules.ts";
import { step } from "#engine/step.ts";
import { recordedTurn, setTurn } from "#engine/turn.ts";
import { COOLDOWNS, DIRECTIONS, FIGHTER_IDS } from "#engine/types.ts";
import type {
  AttackName,
  Direction,
  RecordedTurn,
  Replay,
  ReplayHeader,
  ReplayTick,
  Target,
  Turn,
} from "#engine/types.ts";
import { printReplay } from "#protocol/replay.ts";

export type SampleBout = { replay: Replay; text: string };

/** Plays and records one bout. */
export function sampleBout(map: MapName, seed: number): SampleBout {
  const grid = gridOf(map);
  if (grid === null) throw new Error(`no map ${map}`);
  const fight = startFight(grid, seed);
  const ticks: ReplayTick[] = [];
  while (!isOver(fight)) {
    const turns = [0, 1].map((seat) => spiced(fight.words[TICK], seat, scripted(fight, seat)));
    ticks.push(playTick(fight, turns));
  }
  return recorded(fight, { header: headerOf(grid, seed), ticks });
}

/** Walks up to the other one and does whatever is ready and could reach. */
function scripted(fight: Fight, seat: number): Turn {
  const foe = 1 - seat;
  const [dx, dy] = [fight.x[foe] - fight.x[seat], fight.y[foe] - fight.y[seat]];
  const distance = distanceOf(dx, dy);
  const direction = DIRECTIONS[Math.max(0, directionOf(dx, dy))];
  const isAligned = dx === 0 || dy === 0 || Math.abs(dx) === Math.abs(dy);
  const tile: Target = [fight.x[foe], fight.y[foe]];
  const options: [attack: AttackName, isWorth: boolean, target?: Target][] = [
    ["repulse", distance <= RULES.attacks.repulse.radius],
    ["strike", distance === 1, direction],
    ["hook", isAligned && distance > 1 && distance <= RULES.attacks.hook.range, direction],
    ["bolt", isAligned || seat === 1, direction],
    ["blast", distance <= RULES.attacks.blast.range, tile],
    ["scorch", distance <= RULES.attacks.scorch.range, tile],
  ];
  const ready = options.find(([name, isWorth]) => isWorth && isReady(fight, seat, name));
  const way = wayOf(fight, seat, direction);
  const isFar = distance > RULES.dash.tiles && isReady(fight, seat, "dash");
  return {
    ...(isFar ? { dash: way } : { move: way }),
    ...(ready && { attack: { name: ready[0], ...(ready[2] && { target: ready[2] }) } }),
  };
}

function isReady(fight: Fight, seat: number, name: AttackName | "dash"): boolean {
  return fight.cooldowns[seat * COOLDOWNS.length + COOLDOWNS.indexOf(name)] === 0;
}

/** Straight on if possible, else round the obstacle by whatever way the tick number picks. */
function wayOf({ grid, tile, words }: Fight, seat: number, direction: Direction): Direction {
  const open = grid.moves[tile[seat]];
  return open.includes(direction) ? direction : open[(words[TICK] + seat) % open.length];
}

/** A few turns are changed, to show failures, refusals and shouts. */
function spiced(tick: number, seat: number, turn: Turn): RecordedTurn {
  if (tick % 31 === 7 && seat === 1) return { idle: "timeout" };
  if (tick % 45 === 3) return { ...turn, shout: seat === 0 ? "Come and get it!" : TRICKY };
  if (tick % 19 === 11 && seat === 1) return { attack: { name: "headbutt", target: "n" } };
  return turn;
}

/** Text from people must stay text wherever it is shown. */
const TRICKY = "<img src=x onerror=alert(1)> & more";

function playTick(fight: Fight, turns: readonly RecordedTurn[]): ReplayTick {
  const tick = fight.words[TICK];
  const kept = turns.map((turn) => (isTurn(turn) ? recordedTurn(turn) : turn));
  kept.forEach((turn, seat) => setTurn(fight, seat, isTurn(turn) ? turn : null));
  step(fight);
  const reply_ms = turns.map((turn, seat) => (isTurn(turn) ? 2.5 + seat + (tick % 7) : null));
  const budget_ms = turns.map((_, seat) => 300_000 - tick * (4 + seat));
  return { tick, turns: kept, reply_ms, budget_ms, hash: hex8(stateHash(fight)) };
}

function isTurn(turn: RecordedTurn): turn is Exclude<RecordedTurn, { idle: string } | null> {
  return turn !== null && !("idle" in turn);
}

function headerOf(grid: Grid, seed: number): ReplayHeader {
  return {
    match_id: "01930000-0000-7000-8000-00000000000a",
    ladder_id: "public",
    mode: "ranked",
    started: "2026-11-21T12:00:00.000Z",
    versions: {
      engine: ENGINE_VERSION,
      protocol: "0.6",
      rules: RULES_VERSION,
      rules_hash: "c35b0d546327210d3c206303df89cd4642bb26fcd2533e15c233aa38b98ad10f",
    },
    seed,
    deadlines: { startup_ms: 10_000, tick_ms: 1000, budget_ms: 300_000, reconnect_ms: 10_000 },
    map: { name: grid.name, rows: grid.rows },
    fighters: ["ada", "bob"].map((name, seat) => {
      return { id: FIGHTER_IDS[seat], bot_id: `bot-${seat}`, name, version: "v1" };
    }),
  };
}

function recorded(fight: Fight, played: Omit<Replay, "result">): SampleBout {
  const ending = outcome(fight);
  if (ending === null) throw new Error("the sample bout did not end");
  const trace = played.ticks.reduce(
    (sum, { hash }) => extendTrace(sum, Number.parseInt(hash, 16)),
    EMPTY_TRACE,
  );
  const result = {
    winner: ending.winner === null ? null : FIGHTER_IDS[ending.winner],
    reason: ending.reason,
    ticks: played.ticks.length,
    hash: hex8(traceHash(trace)),
  };
  const replay = { ...played, result };
  return { replay, text: textOf(replay) };
}

/** The replay file's text. */
export function textOf(replay: Replay): string {
  const { name, rows } = replay.header.map;
  return printReplay(replay, mapView(parseGrid(name, rows)), RULES);
}
