import type { Ladder } from "#core/api/ladder-results.ts";
import type { SignInProvider } from "#site/account/data.ts";
import type { RegistrationMode } from "#site/events/data.ts";

export type CreateData = {
  /** Ladder the bot will play on, or null for the public ladder. */
  ladder: Pick<Ladder, "id" | "name" | "access" | "phase"> | null;
  registration: RegistrationMode;
  /** Public base URL without a trailing slash. */
  base_url: string;
  account_needed: boolean;
  /** Null on a ladder without accounts. */
  provider: SignInProvider | null;
  registration_key_needed: boolean;
  name_length: readonly [number, number];
  owner_length: number;
  qualifying_games: number;
  practice_per_hour: number;
  /** Time limit for a bot's response, in ms. */
  tick_ms: number;
  /** Contact details as the operator entered them, or null if not set. */
  contact: string | null;
};
