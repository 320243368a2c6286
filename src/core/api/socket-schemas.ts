// Schemas of sockets and replays, published at /docs/schema/<name>.json.

import type { TSchema } from "typebox";

import { MatchEventSchema } from "#core/protocol/schema-fight.ts";
import {
  EndSchema,
  ErrorSchema,
  HelloSchema,
  LeaveSchema,
  ObservationSchema,
  QueuedSchema,
  QueueSchema,
  ReadySchema,
  ReplacedSchema,
  ServerDrainingSchema,
  TurnSchema,
} from "#core/protocol/schema-message.ts";
import { MatchStatsSchema } from "#core/protocol/schema-stats.ts";
import {
  FramesSchema,
  IdleSchema,
  OverSchema,
  StoredSchema,
  WatchingSchema,
} from "#core/protocol/schema-watch.ts";
import {
  ReplayHeaderSchema,
  ReplayResultSchema,
  ReplayTickSchema,
} from "#core/replay/schema-replay.ts";

export const CLIENT_MESSAGES = {
  queue: QueueSchema,
  leave: LeaveSchema,
  ready: ReadySchema,
  turn: TurnSchema,
} as const;

export const SERVER_MESSAGES = {
  queued: QueuedSchema,
  hello: HelloSchema,
  observation: ObservationSchema,
  end: EndSchema,
  error: ErrorSchema,
  server_draining: ServerDrainingSchema,
  replaced: ReplacedSchema,
} as const;

/** Sent to watchers of live matches. */
export const WATCH_MESSAGES = {
  watching: WatchingSchema,
  frames: FramesSchema,
  over: OverSchema,
  stored: StoredSchema,
  idle: IdleSchema,
} as const;

export const SOCKET_SCHEMAS: Record<string, TSchema> = {
  ...CLIENT_MESSAGES,
  ...SERVER_MESSAGES,
  ...WATCH_MESSAGES,
  "fight-event": MatchEventSchema,
  "match-stats": MatchStatsSchema,
  "replay-header": ReplayHeaderSchema,
  "replay-tick": ReplayTickSchema,
  "replay-result": ReplayResultSchema,
};
