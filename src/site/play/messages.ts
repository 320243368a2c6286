// Contains only the fields that the page reads from the human match socket.
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

export type PlayHelloMessage = {
  type: "hello";
  match_id: string;
  fighter: FighterId;
  opponent: { name: string; fighter: FighterId };
  deadlines: Deadlines;
  map: { name: string; rows: MapRows };
};

/** `message` says what was wrong with a turn. */
export type PlayEvent = FightEvent & { message?: string };

export type PlayObservation = Omit<Observation, "events"> & {
  type: "observation";
  events: PlayEvent[];
};

export type PlayEndMessage = {
  type: "end";
  match_id: string;
  winner: FighterId | null;
  reason: EndReason | "server_fault";
  voided?: true;
  watch_url: string;
  stats: MatchStats | null;
};

export type PlayServerMessage =
  | PlayHelloMessage
  | PlayObservation
  | PlayEndMessage
  | { type: "error"; code: string; message: string }
  | { type: "server_draining" };

export const READY_FRAME = JSON.stringify({ type: "ready" });

export const turnFrame = (tick: number, turn: Turn): string =>
  JSON.stringify({ type: "turn", tick, ...turn });
