// The golden matches: one a map and one an end reason, played by the match machine itself on a
// clock that ticks with every event, so that their replays are the same to the letter each time.

import { engineFights } from "#arena/engine-fight.ts";
import { advance, createMatch, nextDue } from "#arena/match.ts";
import type { Match, MatchEvent } from "#arena/match.ts";
import type { Fight } from "#engine/fight.ts";
import { gridOf } from "#engine/maps.ts";
import { ENGINE_VERSION, RULES_VERSION } from "#engine/rules.ts";
import { DIRECTIONS } from "#engine/types.ts";
import type { Direction, MatchStats } from "#engine/types.ts";
import { PROTOCOL_VERSION } from "#protocol/schema-message.ts";
import { rulesHash } from "#server/versions.ts";

import { reportOf, stageOf } from "./match-script.ts";
import { referencePlayer } from "./reference-play.ts";
import type { Player } from "./reference-play.ts";

type Golden = {
  name: string;
  map: string;
  seed: number;
  player: Player;
  /** Who says nothing from which tick on, and whether it has hung up. */
  silent?: { seat: number; from: number; hungUp: boolean };
};

const fight = (map: string, seed: number): Golden => ({
  name: map,
  map,
  seed,
  player: referencePlayer("fight", seed),
});

const calm = referencePlayer("calm", 5);

/** Both walk to the middle; seat 0 attacks once, as soon as it can reach the other. */
function oneAttack(name: "strike" | "hook", reach: number): Player {
  let isDone = false;
  return (state, seat) => {
    const target = seat === 0 && !isDone ? directionWithin(state, reach) : null;
    if (target === null) return calm(state, seat);
    isDone = true;
    return { attack: { name, target } };
  };
}

function directionWithin({ x, y }: Fight, reach: number): Direction | null {
  const [dx, dy] = [x[1] - x[0], y[1] - y[0]];
  const isStraight = dx === 0 || dy === 0 || Math.abs(dx) === Math.abs(dy);
  if (!isStraight || Math.max(Math.abs(dx), Math.abs(dy)) > reach) return null;
  const name = ["n", "", "s"][Math.sign(dy) + 1] + ["w", "", "e"][Math.sign(dx) + 1];
  return DIRECTIONS.find((direction) => direction === name) ?? null;
}

/** Seat 0 stays out until the zone has hurt it as much as its one strike hurts the other. */
function lateStrike(): Player {
  const player = oneAttack("strike", 1);
  return (state, seat) => (seat === 0 && state.hp[0] > 112 ? {} : player(state, seat));
}

/** The players of some remember what they did, so a list is for one playing each. */
export const goldenMatches = (): readonly Golden[] => [
  ...["courtyard", "pillars", "halls", "lanes", "keep", "trench", "bumpers", "pinwheel"].map(
    (map, at) => fight(map, at + 1),
  ),
  fight("cage", 77),
  { name: "timeout-hp", map: "courtyard", seed: 5, player: oneAttack("hook", 5) },
  { name: "timeout-damage", map: "courtyard", seed: 1, player: lateStrike() },
  { name: "timeout-draw", map: "courtyard", seed: 5, player: calm },
  {
    ...fight("halls", 21),
    name: "disqualification",
    silent: { seat: 1, from: 12, hungUp: false },
  },
  { ...fight("lanes", 22), name: "forfeit", silent: { seat: 0, from: 9, hungUp: true } },
];

const SETUP = {
  matchId: "00000000-0000-7000-8000-000000000000",
  ladderId: "public",
  mode: "ranked",
  started: "2026-01-01T00:00:00.000Z",
  deadlines: {
    startup_ms: 10_000,
    tick_ms: 1000,
    budget_ms: 300_000,
    reconnect_ms: 4000,
    failed_ticks_to_disqualify: 10,
    messages_per_tick: 5,
  },
  fighters: [
    { id: "A", bot_id: "bot-a", name: "golden-a", version: "v1" },
    { id: "B", bot_id: "bot-b", name: "golden-b", version: "v1" },
  ],
} as const;

/** What a reply takes, in µs: a different time for each seat, tick by tick. */
const replyTime = (tick: number, seat: number) => 900 + 37 * tick + 1250 * seat;

export function playGolden(golden: Golden): { replay: string; stats: MatchStats } {
  const match = openMatch(golden);
  let now = 0;
  const take = (event: MatchEvent): void => {
    const at = "at" in event ? event.at : now;
    for (const effect of advance(match, event))
      if (effect.type === "observe") take({ type: "written", seat: effect.seat, at });
  };
  take({ type: "opened", at: now });
  for (const seat of [0, 1])
    take({ type: "message", seat, at: now, message: { type: "ready", matchId: null } });
  while (match.phase !== "over") now = playTick(match, golden, now, take);
  if (match.verdict === null) throw new Error(`${golden.name} has no result`);
  const { replay, stats } = reportOf(match, match.verdict);
  if (stats === null) throw new Error(`${golden.name} is void`);
  return { replay, stats };
}

function openMatch({ map, seed }: Golden): Match {
  const grid = gridOf(map);
  if (grid === null) throw new Error(`no map ${map}`);
  const versions = {
    engine: ENGINE_VERSION,
    protocol: PROTOCOL_VERSION,
    rules: RULES_VERSION,
    rules_hash: rulesHash(),
  };
  const setup = { ...SETUP, fighters: [...SETUP.fighters], versions, seed, grid };
  return createMatch(setup, engineFights()(setup));
}

/** Both answer, or the silent one lets the tick run out; the answer is the time afterwards. */
function playTick(
  match: Match,
  { player, silent }: Golden,
  start: number,
  take: (event: MatchEvent) => void,
): number {
  const { tick } = match;
  const turns = [0, 1].map((seat) => player(stageOf(match), seat) ?? {});
  let now = start;
  for (const seat of [0, 1]) {
    const isSilent = silent?.seat === seat && tick >= silent.from;
    if (isSilent && silent.hungUp && match.seats[seat].present)
      take({ type: "dropped", seat, at: now });
    if (isSilent) continue;
    now = start + replyTime(tick, seat);
    take({ type: "message", seat, at: now, message: { type: "turn", tick, turn: turns[seat] } });
  }
  if (match.phase === "over" || match.tick > tick) return now;
  const due = nextDue(match);
  take({ type: "due", at: due });
  return due;
}
