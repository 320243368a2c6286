import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/** Adds the embedded identity provider: users and OAuth clients. */
export const SCHEMA_28: Migration = {
  number: 28,
  name: "identities",
  statements: (types) => [...userTables(types), ...oneTimeTables(types), ...clientTables(types)],
};

function userTables({ text, whole, heap }: ColumnTypes): string[] {
  return [
    `create table identity_users (
      id ${text} primary key,
      email ${text} unique,
      email_confirmed_at ${text},
      new_email ${text},
      password_hash ${text},
      user_data ${text} not null,
      confirmation_sent_at ${text},
      recovery_sent_at ${text},
      last_sign_in_at ${text},
      created_at ${text} not null,
      updated_at ${text} not null
    ) ${heap}`,
    `create table identity_links (
      id ${text} primary key,
      user_id ${text} not null references identity_users (id) on delete cascade,
      provider ${text} not null,
      subject ${text} not null,
      email ${text},
      created_at ${text} not null,
      last_sign_in_at ${text} not null,
      unique (provider, subject)
    ) ${heap}`,
    "create index identity_links_by_user on identity_links (user_id)",
    `create table identity_sessions (
      id ${text} primary key,
      user_id ${text} not null references identity_users (id) on delete cascade,
      client_id ${text},
      scope ${text},
      resource ${text},
      counter ${whole} not null,
      refreshed_at ${text} not null,
      method ${text} not null,
      created_at ${text} not null
    ) ${heap}`,
    "create index identity_sessions_by_user on identity_sessions (user_id, client_id)",
  ];
}

function oneTimeTables({ text, whole, heap }: ColumnTypes): string[] {
  return [
    `create table identity_tokens (
      hash ${text} primary key,
      user_id ${text} not null references identity_users (id) on delete cascade,
      purpose ${text} not null,
      email ${text} not null,
      code_hash ${text} not null,
      tries ${whole} not null,
      challenge ${text},
      created_at ${text} not null
    ) ${heap}`,
    "create index identity_tokens_by_user on identity_tokens (user_id, purpose)",
    `create table identity_flows (
      hash ${text} primary key,
      challenge ${text} not null,
      user_id ${text} references identity_users (id) on delete cascade,
      method ${text},
      provider ${text},
      redirect_to ${text},
      created_at ${text} not null,
      check ((user_id is null) = (method is null)),
      check ((provider is null) = (redirect_to is null)),
      check ((user_id is null) <> (provider is null))
    ) ${heap}`,
    "create index identity_flows_by_user on identity_flows (user_id)",
  ];
}

function clientTables({ text, heap }: ColumnTypes): string[] {
  return [
    `create table identity_clients (
      id ${text} primary key,
      kind ${text} not null,
      name ${text} not null,
      uri ${text},
      logo_uri ${text},
      redirect_uris ${text} not null,
      auth_method ${text} not null,
      secret_hash ${text},
      created_at ${text} not null
    ) ${heap}`,
    `create table identity_authorizations (
      hash ${text} primary key,
      client_id ${text} not null references identity_clients (id) on delete cascade,
      redirect_uri ${text} not null,
      scope ${text} not null,
      state ${text},
      nonce ${text},
      resource ${text} not null,
      challenge ${text} not null,
      user_id ${text} references identity_users (id) on delete cascade,
      code_hash ${text} unique,
      created_at ${text} not null
    ) ${heap}`,
    `create index identity_authorizations_by_client
      on identity_authorizations (client_id, user_id)`,
    "create index identity_authorizations_by_user on identity_authorizations (user_id)",
    `create table identity_consents (
      user_id ${text} not null references identity_users (id) on delete cascade,
      client_id ${text} not null references identity_clients (id) on delete cascade,
      scopes ${text} not null,
      granted_at ${text} not null,
      primary key (user_id, client_id)
    ) ${heap}`,
    "create index identity_consents_by_client on identity_consents (client_id)",
  ];
}
