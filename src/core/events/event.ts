// What an event is: a named goal on one ladder, with five achievements to earn in its window.

import type { Phase } from "#core/ladder/ladder.ts";
import { phaseAt } from "#core/ladder/ladder.ts";
import type { HouseKind } from "#core/words/house.ts";
import type { EventId, LadderId } from "#core/words/ids.ts";

export const EVENT_KINDS = ["precon", "main", "community"] as const;

/** Of an event and of an achievement; of an event it is part of addresses. */
export const SLUG = "^[a-z0-9][a-z0-9-]{1,31}$";

/** Each event has as many. */
export const ACHIEVEMENTS = 5;

/** Where the flags come from: texts of the operator, or made up by the server to try things out. */
export const FLAG_MODES = ["official", "testing"] as const;

/** What earns an achievement. `maps` is on how many different maps. */
export type Condition =
  | { kind: "games"; count: number }
  | { kind: "wins"; count: number; maps?: number }
  | { kind: "defeat"; opponent: HouseKind; wins: number; maps?: number }
  | { kind: "streak"; wins: number }
  | { kind: "clean"; games: number }
  | { kind: "score"; least: number };

export type Achievement = {
  /** A slug, unique within its event. */
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

/** A picture as it is served: `/images/<hash>.webp`. */
export type EventImage = { hash: string; alt: string; width: number; height: number };

export type EventDefinition = {
  id: EventId;
  ladderId: LadderId;
  name: string;
  description: string;
  /** UTC instants with milliseconds: the window in which games count. */
  opensAt: string;
  closesAt: string;
  /** IANA name, in which people are shown the times. */
  timezone: string;
  metadata: EventMetadata | null;
  image: EventImage | null;
  submissionUrl: string | null;
  submissionInstructions: string;
  flagMode: (typeof FLAG_MODES)[number];
  /** Counts every change. */
  revision: number;
  enabled: boolean;
  /** Exactly five. */
  achievements: readonly Achievement[];
  /** Approved version labels of house bots, by short name. */
  approved: Readonly<Partial<Record<HouseKind, string>>>;
};

export const eventPhase = (event: EventDefinition, instant: string): Phase =>
  phaseAt(event, instant);
