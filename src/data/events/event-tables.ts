import type { EventDefinition } from "#core/events/event.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import type { Fixed } from "#data/identity/immutable-column.ts";

export type EventDefinitionTable = {
  id: Fixed<string>;
  ladder_id: Fixed<string>;
  name: string;
  description: string;
  opens_at: string;
  closes_at: string;
  timezone: string;
  /** JSON, as are `image`, `achievements` and `approved`. */
  metadata: string | null;
  image: string | null;
  submission_url: string | null;
  submission_instructions: string;
  flag_mode: EventDefinition["flagMode"];
  revision: number;
  enabled: number;
  achievements: string;
  approved: string;
  created: Fixed<string>;
  /** When all matches of the event had been processed after its end. Null until then. */
  settled_at: string | null;
};

export type AwardTable = {
  event_id: Fixed<string>;
  account_id: Fixed<string>;
  achievement_id: Fixed<string>;
  bot_id: Fixed<string>;
  earned_at: Fixed<string>;
  /** JSON array of match IDs. The deciding match is the last one. */
  evidence: Fixed<string>;
  awarded_at: Fixed<string>;
  revoked_at: string | null;
  revoked_reason: string | null;
};

export type OpponentRequestTable = {
  id: Fixed<string>;
  event_id: Fixed<string>;
  ladder_id: Fixed<string>;
  account_id: Fixed<string>;
  bot_id: Fixed<string>;
  opponent: Fixed<HouseKind>;
  created: Fixed<string>;
  state: "pending" | "served" | "cancelled";
  /** Start of the match that served the request, and its ID. */
  started: string | null;
  match_id: string | null;
};

export type EventTables = {
  events: EventDefinitionTable;
  awards: AwardTable;
  opponent_requests: OpponentRequestTable;
};
