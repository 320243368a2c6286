// Data of the ladder and event pages. It's the same for every visitor.

import type { EventView } from "#core/api/event.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import type { AccountData } from "#site/account/data.ts";

/** How bots are registered; `closed` if registration is disabled. */
export type RegistrationMode = "open" | "key" | "account" | "closed";

/** How the visitor can sign in. */
export type SignInInfo = Pick<AccountData, "provider" | "contact">;

/** A ladder with its current activity. */
export type LadderWithActivity = Ladder & {
  /** Number of ranked bots. */
  ranked: number;
  /** Players' bots connected to it or playing on it, and running matches. */
  online: number;
  running: number;
};

export type LaddersData = SignInInfo & {
  ladders: LadderWithActivity[];
  events: EventView[];
  /** The requested ladder. */
  requestedId: string | null;
  registration: RegistrationMode;
  /** Server time of the data, Unix ms. */
  now: number;
};

/** An event's public data. */
export type EventWithCounts = EventView & {
  ladder_name: string;
  /** Number of accounts that earned each achievement, by its ID. */
  earnedCounts: Readonly<Record<string, number>>;
};

export type AchievementsData = SignInInfo & {
  events: EventWithCounts[];
  /** The requested event. */
  requestedId: string | null;
  now: number;
};

/** A current or upcoming ladder or event, other than the public ladder. */
export type CurrentEvent = {
  kind: "ladder" | "event";
  id: string;
  name: string;
  phase: "upcoming" | "open";
  /** Null for no limit. */
  opens_at: string | null;
  closes_at: string | null;
};
