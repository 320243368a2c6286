import type { EventDefinition } from "#core/events/event.ts";
import type { HouseKind } from "#core/words/house.ts";
import type { Fixed } from "#data/identity/column.ts";

export type EventTable = {
  id: Fixed<string>;
  ladder_id: Fixed<string>;
  name: string;
  description: string;
  opens_at: string;
  closes_at: string;
  timezone: string;
  /** JSON, as are image, achievements and approved. */
  metadata: string | null;
  image: string | null;
  submission_url: string | null;
  submission_instructions: string;
  flag_mode: EventDefinition["flagMode"];
  revision: number;
  /** 0 or 1. */
  enabled: number;
  achievements: string;
  approved: string;
  created: Fixed<string>;
  /** When all its matches were looked at after its end; null until then. */
  settled_at: string | null;
};

export type AwardTable = {
  event_id: Fixed<string>;
  account_id: Fixed<string>;
  achievement_id: Fixed<string>;
  bot_id: Fixed<string>;
  /** When the deciding match ended. */
  earned_at: Fixed<string>;
  /** Ids of matches, as JSON; the deciding one last. */
  evidence: Fixed<string>;
  awarded_at: Fixed<string>;
  revoked_at: string | null;
  revoked_reason: string | null;
};

export type RequestTable = {
  id: Fixed<string>;
  event_id: Fixed<string>;
  ladder_id: Fixed<string>;
  account_id: Fixed<string>;
  bot_id: Fixed<string>;
  opponent: Fixed<HouseKind>;
  created: Fixed<string>;
  state: "pending" | "served" | "cancelled";
  /** When its game started, and which it was. */
  started: string | null;
  match_id: string | null;
};

export type EventTables = {
  events: EventTable;
  awards: AwardTable;
  opponent_requests: RequestTable;
};
