// Messages of the bot socket as values.

import type { MapView } from "#core/engine/maps.ts";
import type { RULES } from "#core/engine/rules.ts";
import type {
  Deadlines,
  Direction,
  FightEvent,
  FighterId,
  IdleReason,
  Observation,
  Refusal,
  ReplayFighter,
  Target,
  TurnPart,
} from "#core/engine/types.ts";

/** All numbers in the rules, as in `hello`. */
export type RulesMessage = typeof RULES;

/** The message at the start of a match. */
export type HelloMessage = {
  type: "hello";
  protocol_version: string;
  match_id: string;
  ladder_id: string;
  /** `ranked` on the ladder, `human` against a person, `practice` everywhere else. */
  mode: "ranked" | "human" | "practice";
  bot_id: string;
  /** The bot's own fighter. */
  fighter: FighterId;
  /** The opponent in a duel. With more fighters, the next fighter in seat order. */
  opponent: { bot_id: string; name: string; version: string; fighter: FighterId };
  /** In seat order. */
  fighters: ReplayFighter[];
  deadlines: Deadlines;
  map: MapView;
  rules: RulesMessage;
};

/** A rejected part of the bot's turn. `part` is `turn` if the whole turn was rejected. */
export type RejectedEvent = {
  type: "rejected";
  part: TurnPart;
  reason: Refusal | IdleReason;
  /** Human-readable. */
  message: string;
  field?: "shout";
};

/** An event in the previous tick, as seen by a fighter. */
export type ObservedEvent = Exclude<FightEvent, { type: "rejected" }> | RejectedEvent;

/** The message before every tick. */
export type ObservationMessage = Omit<Observation, "events"> & {
  type: "observation";
  match_id: string;
  events: ObservedEvent[];
  /**
   * Response time remaining in the match. Never changes in the simulator, which doesn't time bots.
   */
  budget_ms: number;
  last_reply_ms: number | null;
};

/** A bot's answer. All parts are optional. An empty turn means that the fighter waits. */
export type TurnMessage = {
  move?: Direction | null;
  dash?: Direction | null;
  attack?: { name: string; target?: Target | null } | null;
  shout?: string | null;
};
