// Messages of the bot socket, as values.

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

/** All numeric rules of the fight, as in `hello`. */
export type RulesMessage = typeof RULES;

/** The message at the start of a match. */
export type HelloMessage = {
  type: "hello";
  protocol_version: string;
  match_id: string;
  ladder_id: string;
  /** `ranked` on the ladder, `human` against a person, otherwise `practice`. */
  mode: "ranked" | "human" | "practice";
  bot_id: string;
  /** The bot's own fighter. */
  fighter: FighterId;
  /** The opponent in a duel; with more fighters, the next one in seat order. */
  opponent: { bot_id: string; name: string; version: string; fighter: FighterId };
  /** All fighters, in seat order. */
  fighters: ReplayFighter[];
  deadlines: Deadlines;
  map: MapView;
  rules: RulesMessage;
};

/** A rejected part of the bot's own turn, or the whole turn (`part` is `turn`). */
export type RejectedEvent = {
  type: "rejected";
  part: TurnPart;
  reason: Refusal | IdleReason;
  /** Human-readable. */
  message: string;
  field?: "shout";
};

/** An event of the previous tick, as seen by a fighter. */
export type ObservedEvent = Exclude<FightEvent, { type: "rejected" }> | RejectedEvent;

/** The message before every tick. */
export type ObservationMessage = Omit<Observation, "events"> & {
  type: "observation";
  match_id: string;
  events: ObservedEvent[];
  /** Response time left in the match. No one is timed here, so it never changes. */
  budget_ms: number;
  last_reply_ms: number | null;
};

/** A bot's answer. Every part is optional; an empty turn waits. */
export type TurnMessage = {
  move?: Direction | null;
  dash?: Direction | null;
  attack?: { name: string; target?: Target | null } | null;
  shout?: string | null;
};
