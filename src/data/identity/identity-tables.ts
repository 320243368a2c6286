import type { ClientAuthMethod, ClientKind } from "#data/store/identity-grants.ts";
import type { TokenPurpose } from "#data/store/identity.ts";

import type { Fixed } from "./immutable-column.ts";

export type UserTable = {
  id: Fixed<string>;
  email: string | null;
  email_confirmed_at: string | null;
  new_email: string | null;
  password_hash: string | null;
  user_data: string;
  confirmation_sent_at: string | null;
  recovery_sent_at: string | null;
  last_sign_in_at: string | null;
  created_at: Fixed<string>;
  updated_at: string;
};

export type IdentityLinkTable = {
  id: Fixed<string>;
  user_id: Fixed<string>;
  provider: Fixed<string>;
  subject: Fixed<string>;
  email: string | null;
  created_at: Fixed<string>;
  last_sign_in_at: string;
};

/** Client, scope and resource are either all set or all null. */
export type SessionTable = {
  id: Fixed<string>;
  user_id: Fixed<string>;
  client_id: Fixed<string | null>;
  scope: Fixed<string | null>;
  resource: Fixed<string | null>;
  counter: number;
  parent: number;
  refreshed_at: string;
  method: Fixed<string>;
  created_at: Fixed<string>;
};

export type IdentityTokenTable = {
  hash: Fixed<string>;
  user_id: Fixed<string>;
  purpose: Fixed<TokenPurpose>;
  email: Fixed<string>;
  code_hash: Fixed<string>;
  tries: number;
  challenge: Fixed<string | null>;
  /** JSON of a PendingSignUp. */
  sign_up: Fixed<string | null>;
  created_at: Fixed<string>;
};

/** Number of wrong 6-digit codes entered for an address, and when the first one was entered. */
type WrongCodeTable = { address_hash: Fixed<string>; wrong: number; since: string };

/** Either user and method are set, or provider and redirect. */
export type IdentityFlowTable = {
  hash: Fixed<string>;
  challenge: Fixed<string>;
  user_id: Fixed<string | null>;
  method: Fixed<string | null>;
  provider: Fixed<string | null>;
  redirect_to: Fixed<string | null>;
  /** JSON of a PendingSignUp. */
  sign_up: Fixed<string | null>;
  token_hash: Fixed<string | null>;
  created_at: Fixed<string>;
};

export type ClientTable = {
  id: Fixed<string>;
  kind: Fixed<ClientKind>;
  name: string;
  uri: string | null;
  logo_uri: string | null;
  redirect_uris: string;
  auth_method: ClientAuthMethod;
  secret_hash: string | null;
  created_at: string;
};

export type AuthorizationTable = {
  hash: Fixed<string>;
  client_id: Fixed<string>;
  redirect_uri: Fixed<string>;
  scope: Fixed<string>;
  state: Fixed<string | null>;
  nonce: Fixed<string | null>;
  resource: Fixed<string>;
  challenge: Fixed<string>;
  user_id: string | null;
  code_hash: string | null;
  created_at: Fixed<string>;
};

/** Space-separated scopes. */
export type ConsentTable = {
  user_id: Fixed<string>;
  client_id: Fixed<string>;
  scopes: string;
  /** JSON array of AllowedRedirect. */
  redirects: string;
  granted_at: string;
};

export type IdentityTables = {
  identity_users: UserTable;
  identity_links: IdentityLinkTable;
  identity_sessions: SessionTable;
  identity_tokens: IdentityTokenTable;
  identity_flows: IdentityFlowTable;
  identity_wrong_codes: WrongCodeTable;
  identity_clients: ClientTable;
  identity_authorizations: AuthorizationTable;
  identity_consents: ConsentTable;
};
