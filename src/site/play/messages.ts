// What the socket of a fight says, as far as the page reads it.
import type {
  Deadlines,
  EndReason,
  FightEvent,
  FighterId,
  MapRows,
  MatchStats,
  Observation,
  Turn,
} from "#core/engine/types.ts";

export type Hello = {
  type: "hello";
  match_id: string;
  fighter: FighterId;
  opponent: { name: string; fighter: FighterId };
  deadlines: Deadlines;
  map: { name: string; rows: MapRows };
};

/** A refusal says in words what was wrong with the turn. */
export type SeenEvent = FightEvent & { message?: string };

export type Seen = Omit<Observation, "events"> & { type: "observation"; events: SeenEvent[] };

export type FightEnd = {
  type: "end";
  match_id: string;
  winner: FighterId | null;
  reason: EndReason | "server_fault";
  voided?: true;
  watch_url: string;
  stats: MatchStats | null;
};

export type Message =
  | Hello
  | Seen
  | FightEnd
  | { type: "error"; code: string; message: string }
  | { type: "server_draining" };

export const readyText = JSON.stringify({ type: "ready" });

export const turnText = (tick: number, turn: Turn): string =>
  JSON.stringify({ type: "turn", tick, ...turn });
