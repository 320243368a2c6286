// What bots receive and send, as values: the messages of the bot socket.

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

/** Every number of the fight, as in `hello`. */
export type RulesMessage = typeof RULES;

/** What a bot is told when a match starts. */
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
  /** The other fighter of a duel; with more fighters, the next one in seat order. */
  opponent: { bot_id: string; name: string; version: string; fighter: FighterId };
  /** All fighters, in seat order. */
  fighters: ReplayFighter[];
  deadlines: Deadlines;
  map: MapView;
  rules: RulesMessage;
};

/** A refused part of one's own turn, or all of it (`part` is `turn`). */
export type RejectedEvent = {
  type: "rejected";
  part: TurnPart;
  reason: Refusal | IdleReason;
  /** For people. */
  message: string;
  field?: "shout";
};

/** One event of the previous tick, as told to a fighter. */
export type ObservedEvent = Exclude<FightEvent, { type: "rejected" }> | RejectedEvent;

/** What a bot is told before every tick. */
export type ObservationMessage = Omit<Observation, "events"> & {
  type: "observation";
  match_id: string;
  events: ObservedEvent[];
  /** Response time left in the match. Nobody is timed here, so it never changes. */
  budget_ms: number;
  last_reply_ms: number | null;
};

/** What a bot answers. Every part is optional; an empty turn waits. */
export type TurnMessage = {
  move?: Direction | null;
  dash?: Direction | null;
  attack?: { name: string; target?: Target | null } | null;
  shout?: string | null;
};
