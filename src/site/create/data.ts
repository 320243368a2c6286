// Data of the page that creates a bot.

import type { Ladder } from "#core/api/ladder-results.ts";
import type { SignInProvider } from "#site/account/data.ts";
import type { RegistrationMode } from "#site/events/data.ts";

/** Requirements for registering a bot on this ladder. */
export type CreateData = {
  /** The ladder it plays on; null for the public one. */
  ladder: Pick<Ladder, "id" | "name" | "access" | "phase"> | null;
  /** Requirements for registering. */
  registration: RegistrationMode;
  /** Public base URL without a trailing slash. */
  base_url: string;
  /** Whether registering requires an account. */
  account_needed: boolean;
  /** Sign-in page; null on a ladder without accounts. */
  provider: SignInProvider | null;
  /** Whether registering requires the ladder's key. */
  registration_key_needed: boolean;
  /** Min and max length of a bot's name. */
  name_length: readonly [number, number];
  /** Max length of an owner's name. */
  owner_length: number;
  /** Rated games required to be ranked. */
  qualifying_games: number;
  /** Max practice games a bot can request per hour. */
  practice_per_hour: number;
  /** Time limit of a response, in ms. */
  tick_ms: number;
  /** How people reach the operator, in the operator's words; null if they say nothing. */
  contact: string | null;
};
