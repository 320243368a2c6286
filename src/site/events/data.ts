// Ladder and event page data. The server sends the same data to every visitor.

import type { EventView } from "#core/api/event.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import type { AccountData } from "#site/account/data.ts";

/** Who can register bots. `closed` means that registration is disabled. */
export type RegistrationMode = "open" | "key" | "account" | "closed";

export type SignInInfo = Pick<AccountData, "provider" | "contact">;

export type LadderWithActivity = Ladder & {
  ranked: number;
  /** Number of players' bots that are connected to the ladder or playing on it. */
  online: number;
  running: number;
};

export type LaddersData = SignInInfo & {
  ladders: LadderWithActivity[];
  events: EventView[];
  requestedId: string | null;
  registration: RegistrationMode;
  /** Server time when the data was loaded, in Unix ms. */
  now: number;
};

export type EventWithCounts = EventView & {
  ladder_name: string;
  /** Number of accounts that earned each achievement, by achievement ID. */
  earnedCounts: Readonly<Record<string, number>>;
};

export type AchievementsData = SignInInfo & {
  events: EventWithCounts[];
  requestedId: string | null;
  now: number;
};

/** A current or upcoming ladder or event. Excludes the public ladder. */
export type CurrentEvent = {
  kind: "ladder" | "event";
  id: string;
  name: string;
  phase: "upcoming" | "open";
  /** Null for no limit. */
  opens_at: string | null;
  closes_at: string | null;
};
