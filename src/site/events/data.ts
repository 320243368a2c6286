// The data of the pages about ladders and events. Nothing in it is about their readers.

import type { EventView } from "#core/resources/event.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import type { AccountData } from "#site/account/data.ts";

/** What it takes to register a bot; `closed` where nobody can at present. */
export type Registration = "open" | "key" | "account" | "closed";

/** What it takes to find out who reads. */
export type SignInPlace = Pick<AccountData, "provider" | "contact">;

/** A ladder, and how much is played on it. */
export type PlayedLadder = Ladder & {
  /** Bots with a rank. */
  ranked: number;
  /** Players' bots that are connected to it or play on it now, and matches that are running. */
  online: number;
  running: number;
};

export type LaddersData = SignInPlace & {
  ladders: PlayedLadder[];
  events: EventView[];
  /** The ladder that the page was asked for. */
  sought: string | null;
  registration: Registration;
  /** The server's clock when the rest was read, in ms since 1970. */
  now: number;
};

/** An event with what everybody may know of it. */
export type TalliedEvent = EventView & {
  ladder_name: string;
  /** How many accounts have earned each achievement, by its id. */
  earned: Readonly<Record<string, number>>;
};

export type AchievementsData = SignInPlace & {
  events: TalliedEvent[];
  /** The event that the page was asked for. */
  sought: string | null;
  now: number;
};

/** Something on now, or soon, that is not the public ladder itself. */
export type Occasion = {
  kind: "ladder" | "event";
  id: string;
  name: string;
  phase: "upcoming" | "open";
  /** Null for no bound. */
  opens_at: string | null;
  closes_at: string | null;
};
