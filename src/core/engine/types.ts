// Engine vocabulary: the words used in the rules as tuples, and the data structures as types.

import { assertDefined } from "#base/util/assert-defined.ts";

export const DIRECTIONS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const ATTACKS = ["strike", "bolt", "hook", "repulse", "blast", "scorch"] as const;
export type AttackName = (typeof ATTACKS)[number];
export type ByAttack<T> = Record<AttackName, T>;

export const AREAS = ["blast", "scorch"] as const;
export type AreaName = (typeof AREAS)[number];

export const DAMAGE_SOURCES = [...ATTACKS, "wall_slam", "collision", "zone"] as const;
export type DamageSource = (typeof DAMAGE_SOURCES)[number];

export const COOLDOWNS = ["dash", ...ATTACKS, "shout"] as const;
export type CooldownName = (typeof COOLDOWNS)[number];

export const PICKUPS = ["health", "power"] as const;
type PickupKind = (typeof PICKUPS)[number];

export const FIGHTER_IDS = ["A", "B", "C", "D"] as const;
export type FighterId = (typeof FIGHTER_IDS)[number];

export const fighterIdAt = (seat: number): FighterId => assertDefined(FIGHTER_IDS[seat], "fighter");

export const TURN_PARTS = ["move", "dash", "attack", "turn"] as const;
export type TurnPart = (typeof TURN_PARTS)[number];

export const REFUSALS = [
  "unknown_attack",
  "bad_text",
  "not_ready",
  "not_visible",
  "blocked",
  "conflicting_moves",
] as const;
export type Refusal = (typeof REFUSALS)[number];

export const IDLE_REASONS = ["timeout", "malformed_json", "schema", "disconnected"] as const;
export type IdleReason = (typeof IDLE_REASONS)[number];

export const COMBAT_END_REASONS = [
  "last_standing",
  "timeout_hp",
  "timeout_damage",
  "timeout_draw",
] as const;
export const END_REASONS = [...COMBAT_END_REASONS, "forfeit", "disqualification"] as const;
export type CombatEndReason = (typeof COMBAT_END_REASONS)[number];
export type EndReason = (typeof END_REASONS)[number];

/** x increases to the right, y downwards. [0, 0] is the top left tile. */
export type Tile = readonly [x: number, y: number];
export type Target = Direction | Tile;

/** `name` may be any text and `target` either kind. The engine refuses invalid ones. */
export type Attack = { name: string; target?: Target };

/** A valid turn. Contains only the parts that were sent, with the shout cleaned. */
export type Turn = { move?: Direction; dash?: Direction; attack?: Attack; shout?: string };

/**
 * What a seat did in a recorded tick: a turn, the reason for a failed turn, or null for a fallen
 * fighter.
 */
export type RecordedTurn = Turn | { idle: IdleReason } | null;

export type MapRows = readonly string[];

/** What stopped a move or dash, or the attack that had the wrong kind of target. */
export type RefusalCause = "wall" | "fighter" | "thrown" | AttackName;

/**
 * An event of a tick, unfiltered or as a fighter sees it. Unfiltered events have all fields. A
 * fighter's events omit `x`, `y` and `target` of attacks that the fighter did not see. Fighters see
 * only their own refusals, without `by` and with a `cause` that determines the message.
 */
export type FightEvent =
  | { type: "shout"; by: FighterId; text: string }
  | {
      type: "rejected";
      by?: FighterId;
      part: TurnPart;
      reason: Refusal;
      field?: "shout";
      cause?: RefusalCause;
    }
  | {
      type: "attack";
      by: FighterId;
      name: AttackName;
      x?: number;
      y?: number;
      target?: Target | null;
    }
  | {
      type: "hit";
      by: FighterId;
      target: FighterId;
      name: AttackName | "wall_slam" | "collision";
      damage: number;
      ricochet?: true;
      x: number;
      y: number;
    }
  | {
      type: "repulse";
      by: FighterId;
      target: FighterId;
      direction: Direction;
      tiles: number;
      slam: boolean;
      x: number;
      y: number;
    }
  | {
      type: "pull";
      by: FighterId;
      target: FighterId;
      direction: Direction;
      tiles: number;
      x: number;
      y: number;
    }
  | {
      type: "area_spawn";
      by: FighterId;
      name: AreaName;
      x: number;
      y: number;
      radius: number;
      damage: number;
      in?: number;
      left?: number;
    }
  | { type: "area_explode"; by: FighterId; name: "blast"; x: number; y: number; radius: number }
  | { type: "pickup"; by: FighterId; kind: PickupKind; healed?: number }
  | { type: "zone_damage"; target: FighterId; damage: number; x: number; y: number }
  | { type: "pickup_spawn"; kind: PickupKind; x: number; y: number; in: number }
  | { type: "death"; target: FighterId; x: number; y: number };

export type Cooldowns = Record<CooldownName, number>;

export type SelfView = {
  id: FighterId;
  x: number;
  y: number;
  hp: number;
  stun: number;
  power: number;
  cooldowns: Cooldowns;
};

export type FighterView =
  | {
      id: FighterId;
      hp: number;
      power: number;
      visible: true;
      x: number;
      y: number;
      stun: number;
      cooldowns: Omit<Cooldowns, "shout">;
    }
  | {
      id: FighterId;
      hp: number;
      power: number;
      visible: false;
      last_seen: { x: number; y: number; tick: number } | null;
    }
  | { id: FighterId; hp: 0; alive: false };

export type AreaView = {
  name: AreaName;
  by: FighterId;
  x: number;
  y: number;
  radius: number;
  in?: number;
  left?: number;
  damage: number;
};

export type PickupView = { kind: PickupKind; x: number; y: number; in: number };
export type ZoneView = { radius: number; shrinks_in: number | null; damage: number };

/**
 * What a fighter observes at the start of a tick. The server adds ids, the time budget and refusal
 * messages.
 */
export type Observation = {
  tick: number;
  self: SelfView;
  fighters: FighterView[];
  /** The same frozen objects whenever a fighter is on this tile. */
  moves: readonly Direction[];
  dashes: Readonly<Partial<Record<Direction, number>>>;
  /** [x, y, in, damage] for each floor tile near the fighter that an active area will hurt. */
  danger: [x: number, y: number, in_: number, damage: number][];
  areas: AreaView[];
  pickups: PickupView[];
  zone: ZoneView;
  events: FightEvent[];
};

type WeaponStats = { uses: number; hits: number; damage: number };

export type CombatStats = {
  hp: number;
  alive: boolean;
  moves: number;
  moves_blocked: number;
  dashes: number;
  dash_tiles: number;
  weapons: ByAttack<WeaponStats>;
  ricochets: { bounces: number; hits: number; damage: number };
  pickups: Record<PickupKind, number>;
  healed: number;
  damage_dealt: number;
  dealt_by_source: Record<DamageSource, number>;
  damage_taken: number;
  taken_by_source: Record<DamageSource, number>;
  wall_slams: number;
  knocked_back: number;
  stunned: number;
  zone_ticks: number;
  rejected: Partial<Record<Refusal, number>>;
  refused_turns: number;
  refused_turns_by_reason: Partial<Record<Refusal, number>>;
};

/** Reply times of one fighter in milliseconds. Null if no reply was timed. */
export type TimingStats = {
  replies: number;
  mean_ms: number;
  p50_ms: number;
  p95_ms: number;
  max_ms: number;
  near_limit: number;
  tick_ms: number;
  budget_ms: number;
  budget_ms_left: number;
  histogram: number[];
};

/** Server statistics of one fighter. All of them can be derived from the replay. */
export type ServerStats = {
  server_idles: Partial<Record<IdleReason, number>>;
  timing: TimingStats | null;
  disconnects: number;
  disqualified: boolean;
};

export type FighterStats = { id: FighterId; name: string; version: string } & CombatStats &
  ServerStats;

export type MatchStats = {
  match_id: string;
  stats_version: 2;
  map: string;
  seed: number;
  ticks: number;
  winner: FighterId | null;
  reason: EndReason;
  fighters: FighterStats[];
};

type MatchTimes = {
  startup_ms: number;
  tick_ms: number;
  budget_ms: number;
  reconnect_ms: number;
};

type MatchCounts = {
  /** Failed ticks in a row that lose the match. */
  failed_ticks_to_disqualify: number;
  /** Frames that a bot may send in one tick. One more closes the connection. */
  messages_per_tick: number;
};

/**
 * Server settings that affect a match besides its rules. Fixed from the match's first message to
 * its replay.
 */
export type Deadlines = MatchTimes & MatchCounts;

/** Older replays contain only the times. */
export type RecordedDeadlines = MatchTimes & Partial<MatchCounts>;

export type ReplayFighter = { id: FighterId; bot_id: string; name: string; version: string };

/**
 * In files, `map` and `rules` have the format of `hello`. Here, `map` contains only name and rows.
 */
export type ReplayHeader = {
  match_id: string;
  ladder_id: string;
  mode: string;
  started: string;
  versions: { engine: string; protocol: string; rules: string; rules_hash: string };
  seed: number;
  deadlines: RecordedDeadlines;
  map: { name: string; rows: MapRows };
  fighters: ReplayFighter[];
};

/** Arrays are in seat order. `reply_ms` and `budget_ms` have up to three decimal places. */
export type ReplayTick = {
  tick: number;
  turns: RecordedTurn[];
  reply_ms: (number | null)[];
  budget_ms: number[];
  hash: string;
};

export type ReplayResult = {
  winner: FighterId | null;
  reason: EndReason | "server_fault";
  ticks: number;
  hash: string;
};

export type Replay = { header: ReplayHeader; ticks: ReplayTick[]; result: ReplayResult };
