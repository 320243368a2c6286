// Account page data. The server sends the same data to every visitor.

import type { Ladder } from "#core/api/ladder-results.ts";
import type { User } from "#core/api/user.ts";
import type { MailCategory } from "#core/mail/delivery.ts";

/** Where the embedded provider sends email. */
export type MailDestination =
  | "sent"
  /**
   * Printed to the server's terminal and written to a file, for an operator who runs the server
   * locally.
   */
  | "terminal"
  /** Written to a file. The operator forwards each email. */
  | "operator";

type EmbeddedProvider = {
  password_length: readonly [number, number];
  code_minutes: number;
  mailDestination: MailDestination;
};

export type ProviderAddress = {
  /** Base URL, or a path if the provider is embedded. */
  root: string;
  publishable_key: string;
};

export type SignInProvider = ProviderAddress & {
  /** Null for an external provider, which reports its own password rules. */
  embedded: EmbeddedProvider | null;
};

export type AccountData = {
  /** Null on a ladder without accounts. */
  provider: SignInProvider | null;
  handle_length: readonly [number, number];
  bot_name_length: readonly [number, number];
  /** Maximum number of agent keys per account. */
  keys: number;
  key_label_length: number;
  /** Minutes after signing in during which the account can be deleted. */
  recent_sign_in_minutes: number;
  /** Days for which a former name stays reserved. */
  former_names_days: number;
  /** Contact details as the operator entered them, or null if not set. */
  contact: string | null;
};

export type AuthorizeData = Pick<AccountData, "provider"> & {
  /**
   * Error code of a rejected request, or null if the request is valid. The code is a query
   * parameter, so treat it as untrusted.
   */
  refused: string | null;
};

export type ConfirmData = {
  /**
   * Base path of the embedded provider, which handles email links. Null for an external provider.
   */
  root: string | null;
};

export type UserData = {
  user: User;
  ladders: Ladder[];
  qualifying_games: number;
};

export type UnsubscribeData = {
  /** Null if the link has expired or never existed. */
  category: MailCategory | null;
  /** URL that the form posts to, or null after it was submitted. */
  action: string | null;
};
