import type { Role } from "#core/accounts/account.ts";
import type { Fixed } from "#data/identity/immutable-column.ts";
import type { DailyLimitedChange } from "#data/store/account.ts";

export type AccountTable = {
  id: Fixed<string>;
  issuer: Fixed<string>;
  subject: Fixed<string>;
  handle: string | null;
  handle_key: string | null;
  role: Role;
  banned_at: string | null;
  ban_reason: string | null;
  max_bots: number | null;
  email: string | null;
  email_confirmed_at: string | null;
  email_signs_in: number;
  mail: string;
  created: Fixed<string>;
};

/** `at` in Unix seconds. */
type SignOutTable = { issuer: Fixed<string>; subject: Fixed<string>; at: number };

export type AgentKeyTable = {
  id: Fixed<string>;
  account_id: Fixed<string>;
  hash: Fixed<string>;
  label: Fixed<string>;
  created: Fixed<string>;
  last_used: string | null;
};

export type AppTable = {
  account_id: Fixed<string>;
  client_id: Fixed<string>;
  name: string;
  created: Fixed<string>;
  last_used: string | null;
};

export type CreationKind = "agent_key" | "bot" | "notes_byte" | DailyLimitedChange;

type DailyCreationTable = {
  account_id: Fixed<string>;
  kind: Fixed<CreationKind>;
  day: string;
  created: number;
};

type OwnerTable = {
  name_key: Fixed<string>;
  name: Fixed<string>;
  key_hash: Fixed<string>;
  max_bots: Fixed<number>;
  created: Fixed<string>;
};

type FormerHandleTable = {
  handle_key: Fixed<string>;
  handle: string;
  account_id: string;
  given_up: string;
  until: string;
};

type FormerNameTable = {
  name_key: Fixed<string>;
  bot_id: string;
  given_up: string;
  until: string;
};

export type AccountTables = {
  accounts: AccountTable;
  sign_outs: SignOutTable;
  agent_keys: AgentKeyTable;
  programs: AppTable;
  daily_creations: DailyCreationTable;
  owners: OwnerTable;
  former_handles: FormerHandleTable;
  former_names: FormerNameTable;
};
