import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Fixed } from "#data/identity/column.ts";

/** 0 or 1: a column type that both databases accept as a number. */
type Flag = number;

export type LadderTable = {
  id: Fixed<string>;
  name: string;
  description: string;
  access: LadderDefinition["access"];
  /** Null but where access is by password. */
  password_hash: string | null;
  visible: Flag;
  enabled: Flag;
  opens_at: string | null;
  closes_at: string | null;
  /** JSON. */
  maps: string;
  house: string;
  max_concurrent: number | null;
  owner_concurrency: number | null;
  created: Fixed<string>;
  /** When its final standings were written. */
  finished_at: string | null;
  /** Size, hash and making of its archive, as JSON; null until it is made. */
  archive: string | null;
};

export type MemberTable = {
  id: Fixed<string>;
  ladder_id: Fixed<string>;
  account_id: Fixed<string>;
  state: Fixed<"pending" | "active" | "revoked">;
  since: Fixed<string>;
  /** Null for the present state. */
  until: string | null;
  reason: string | null;
};

export type InvitationTable = {
  id: Fixed<string>;
  ladder_id: Fixed<string>;
  hash: Fixed<string>;
  /** Whose it is; null for anybody's. */
  account_id: Fixed<string | null>;
  created: Fixed<string>;
  /** An account's id. */
  created_by: Fixed<string | null>;
  expires_at: Fixed<string>;
  used_at: string | null;
  used_by: string | null;
  revoked_at: string | null;
  label: Fixed<string | null>;
};

export type LadderTables = {
  ladders: LadderTable;
  ladder_members: MemberTable;
  invitations: InvitationTable;
};
