// An event is a named challenge on one ladder, with five achievements to earn within its window.

import type { HouseKind } from "#core/ids/house-bots.ts";
import type { EventId, LadderId } from "#core/ids/ids.ts";
import type { WindowPhase } from "#core/ladder/ladder.ts";
import { phaseAt } from "#core/ladder/ladder.ts";

export const EVENT_KINDS = ["precon", "main", "community"] as const;

/** Used for event and achievement ids. Event ids appear in URLs. */
export const SLUG_PATTERN = "^[a-z0-9][a-z0-9-]{1,31}$";

export const ACHIEVEMENTS_PER_EVENT = 5;

/** Where the flags come from: the operator, or the server, which generates flags for tests. */
export const FLAG_MODES = ["official", "testing"] as const;

/** `maps` is the number of different maps required. */
export type Condition =
  | { kind: "games"; count: number }
  | { kind: "wins"; count: number; maps?: number }
  | { kind: "defeat"; opponent: HouseKind; wins: number; maps?: number }
  | { kind: "streak"; wins: number }
  | { kind: "clean"; games: number }
  | { kind: "score"; least: number };

export type Achievement = {
  id: string;
  name: string;
  description: string;
  condition: Condition;
};

type EventMetadata = {
  kind: (typeof EVENT_KINDS)[number];
  purpose: string;
  audience: string;
  format: string;
  preparation: string;
};

/** Served at `/images/<hash>.webp`. */
export type EventImage = { hash: string; alt: string; width: number; height: number };

export type EventDefinition = {
  id: EventId;
  ladderId: LadderId;
  name: string;
  description: string;
  /** Window in which games count, as UTC instants with milliseconds. */
  opensAt: string;
  closesAt: string;
  /** IANA name of the time zone for displayed times. */
  timezone: string;
  metadata: EventMetadata | null;
  image: EventImage | null;
  submissionUrl: string | null;
  submissionInstructions: string;
  flagMode: (typeof FLAG_MODES)[number];
  /** Incremented with every change. */
  revision: number;
  enabled: boolean;
  /** Exactly five. */
  achievements: readonly Achievement[];
  /** Approved version labels of house bots, by short name. */
  approved: Readonly<Partial<Record<HouseKind, string>>>;
};

export const eventPhase = (event: EventDefinition, instant: string): WindowPhase =>
  phaseAt(event, instant);
