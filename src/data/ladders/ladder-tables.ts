import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Fixed } from "#data/identity/immutable-column.ts";

/** 0 or 1, which both databases accept in a numeric column. */
type Flag = number;

export type LadderTable = {
  id: Fixed<string>;
  name: string;
  description: string;
  access: LadderDefinition["access"];
  password_hash: string | null;
  visible: Flag;
  enabled: Flag;
  opens_at: string | null;
  closes_at: string | null;
  maps: string;
  house: string;
  max_concurrent: number | null;
  owner_concurrency: number | null;
  created: Fixed<string>;
  finished_at: string | null;
  /** JSON of a LadderArchive. Null until the archive exists. */
  archive: string | null;
};

export type MemberTable = {
  id: Fixed<string>;
  ladder_id: Fixed<string>;
  account_id: Fixed<string>;
  state: Fixed<"pending" | "active" | "revoked">;
  since: Fixed<string>;
  /** Null for the current membership. */
  until: string | null;
  reason: string | null;
};

export type InvitationTable = {
  id: Fixed<string>;
  ladder_id: Fixed<string>;
  hash: Fixed<string>;
  account_id: Fixed<string | null>;
  created: Fixed<string>;
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
