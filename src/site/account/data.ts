// The data of the pages about accounts. Nothing in it is about their readers.

import type { MailCategory } from "#core/mail/delivery.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import type { User } from "#core/resources/user.ts";

/** Where the mails of the ladder's own provider go. */
export type MailPlace =
  | "sent"
  /** To the terminal on which the ladder runs, and a file there: their reader has started it. */
  | "terminal"
  /** To a file of the operator, who passes them on. */
  | "operator";

/** What the ladder knows of itself as a provider. */
type OwnProvider = {
  /** Least and most bytes. */
  password_length: readonly [number, number];
  code_minutes: number;
  mail: MailPlace;
};

/** How a browser reaches the identity provider. The same for every reader. */
export type ProviderAddress = {
  /** What its addresses begin with: a path where the ladder is its own provider. */
  root: string;
  publishable_key: string;
};

/** Where people sign in. */
export type ProviderPlace = ProviderAddress & {
  /** Null of a project elsewhere, which says by itself what it wants. */
  own: OwnProvider | null;
};

export type AccountData = {
  /** Null on a ladder without accounts. */
  provider: ProviderPlace | null;
  /** Least and most letters. */
  handle_length: readonly [number, number];
  bot_name_length: readonly [number, number];
  /** Most agent keys of an account, and letters of the label of one. */
  keys: number;
  key_label_length: number;
  /** How long after a sign-in an account can be left. */
  recent_sign_in_minutes: number;
  /** How long a name that was given up is kept. */
  former_names_days: number;
  /** How people reach the operator, in the operator's words; null if they say nothing. */
  contact: string | null;
};

export type AuthorizeData = Pick<AccountData, "provider"> & {
  /** Why nobody is asked, as the provider or any stranger says; null if somebody is. */
  refused: string | null;
};

export type ConfirmData = {
  /** The path of the ladder's own provider, whose mails lead here; null without one. */
  root: string | null;
};

export type UserData = {
  user: User;
  /** All that are listed, and the one that is shown. */
  ladders: Ladder[];
  qualifying_games: number;
};

/** What a link in a letter refuses. */
export type UnsubscribeData = {
  /** Null for a link that has run out, or never was one. */
  category: MailCategory | null;
  /** Where the refusal is sent; null once it was. */
  action: string | null;
};
