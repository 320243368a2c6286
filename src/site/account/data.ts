// Data of the account pages. It's the same for every visitor.

import type { Ladder } from "#core/api/ladder-results.ts";
import type { User } from "#core/api/user.ts";
import type { MailCategory } from "#core/mail/delivery.ts";

/** Where the embedded provider delivers its emails. */
export type MailDestination =
  | "sent"
  /** To the terminal that runs the server, and to a file. The operator is the reader. */
  | "terminal"
  /** To a file; the operator passes them on. */
  | "operator";

/** Settings of the embedded identity provider. */
type EmbeddedProvider = {
  /** Min and max length in bytes. */
  password_length: readonly [number, number];
  code_minutes: number;
  mailDestination: MailDestination;
};

/** How the browser reaches the identity provider. The same for every visitor. */
export type ProviderAddress = {
  /** Base URL; a path if the provider is embedded. */
  root: string;
  publishable_key: string;
};

/** Sign-in page. */
export type SignInProvider = ProviderAddress & {
  /** Null for an external provider, which states its own requirements. */
  embedded: EmbeddedProvider | null;
};

export type AccountData = {
  /** Null on a ladder without accounts. */
  provider: SignInProvider | null;
  /** Min and max length in characters. */
  handle_length: readonly [number, number];
  bot_name_length: readonly [number, number];
  /** Max agent keys per account, and max characters of a key's label. */
  keys: number;
  key_label_length: number;
  /** How long after signing in an account can be deleted, in minutes. */
  recent_sign_in_minutes: number;
  /** How long a former name stays reserved, in days. */
  former_names_days: number;
  /** How to contact the operator, as they wrote it; null if not set. */
  contact: string | null;
};

export type AuthorizeData = Pick<AccountData, "provider"> & {
  /**
   * Error code of a refused request; null if the request is valid. Anyone can cause it, so it's
   * untrusted.
   */
  refused: string | null;
};

export type ConfirmData = {
  /** Path of the embedded provider, the target of its email links; null without one. */
  root: string | null;
};

export type UserData = {
  user: User;
  /** The list of guides, and the selected one. */
  ladders: Ladder[];
  qualifying_games: number;
};

/** Data of the unsubscribe page. */
export type UnsubscribeData = {
  /** Null for a link that has expired or never existed. */
  category: MailCategory | null;
  /** Where the form is posted; null once it was submitted. */
  action: string | null;
};
