// The data of the page that makes a bot.

import type { Ladder } from "#core/resources/ladder-results.ts";
import type { ProviderPlace } from "#site/account/data.ts";
import type { Registration } from "#site/events/data.ts";

/** What registering a bot on this ladder takes. */
export type CreateData = {
  /** The ladder that the bot is for; null for the public one. */
  ladder: Pick<Ladder, "id" | "name" | "access" | "phase"> | null;
  /** What registering takes. */
  registration: Registration;
  /** Public address without a trailing slash. */
  base_url: string;
  /** Only an account registers bots here. */
  account_needed: boolean;
  /** Where people sign in; null on a ladder without accounts. */
  provider: ProviderPlace | null;
  /** Registration needs the ladder's own key. */
  registration_key_needed: boolean;
  /** Least and most letters of a bot's name. */
  name_length: readonly [number, number];
  /** Most letters of an owner's name. */
  owner_length: number;
  /** Rated games needed to be ranked. */
  qualifying_games: number;
  /** Practice games that a bot may ask for in an hour. */
  practice_per_hour: number;
  /** Time to answer an observation. */
  tick_ms: number;
  /** How people reach the operator, in the operator's words; null if they say nothing. */
  contact: string | null;
};
