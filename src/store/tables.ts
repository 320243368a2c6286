import type { ColumnType, Kysely, Transaction } from "kysely";

import type { BotStatus } from "./store.ts";

/** 0 or 1: one column type that both databases take as a number. */
type Flag = number;

/** Filled in once, when the row is made. */
type Fixed<T> = ColumnType<T, T, never>;

export type BotTable = {
  id: Fixed<string>;
  name: string;
  /** The name in lower case, unique. */
  name_key: string;
  owner: string;
  owner_key: string;
  house: Flag;
  status: BotStatus;
  created: Fixed<string>;
  avatar: string | null;
};

type TokenTable = { hash: Fixed<string>; bot_id: Fixed<string>; stale: Flag };

export type VersionTable = {
  id: Fixed<string>;
  bot_id: Fixed<string>;
  label: Fixed<string>;
  notes: string;
  created: Fixed<string>;
  retired: Flag;
};

export type MatchTable = {
  id: Fixed<string>;
  ladder_id: Fixed<string>;
  mode: Fixed<"ranked">;
  map: Fixed<string>;
  seed: Fixed<number>;
  started: Fixed<string>;
  ended: Fixed<string>;
  duration_ms: Fixed<number>;
  final_tick: Fixed<number>;
  reason: Fixed<string>;
  winner_bot_id: Fixed<string | null>;
  voided: Fixed<Flag>;
  rated: Fixed<Flag>;
};

/** Ladder and end are repeated from the match so that one index serves a bot's list. */
export type SeatTable = {
  match_id: Fixed<string>;
  seat: Fixed<number>;
  bot_id: Fixed<string>;
  version_id: Fixed<string>;
  fighter: Fixed<string>;
  rating_before: Fixed<number | null>;
  rating_after: Fixed<number | null>;
  ladder_id: Fixed<string>;
  ended: Fixed<string>;
};

/** The bulky part of a match, apart so that lists never read it. */
type DocumentTable = {
  match_id: Fixed<string>;
  pairing: Fixed<string>;
  stats: Fixed<Uint8Array | null>;
};

type PairTable = {
  ladder_id: Fixed<string>;
  first_version: Fixed<string>;
  second_version: Fixed<string>;
  map: Fixed<string>;
  wins: number;
  draws: number;
  losses: number;
};

type ActivityTable = {
  ladder_id: Fixed<string>;
  version_id: Fixed<string>;
  bot_id: Fixed<string>;
  last_played: string;
  last_match_id: string;
  seat_balance: number;
};

type TallyTable = { ladder_id: Fixed<string>; games: number; voided: number };

type AuditTable = {
  id: Fixed<string>;
  at: Fixed<string>;
  kind: Fixed<string>;
  subject: Fixed<string>;
  detail: Fixed<string>;
};

type SchemaTable = { number: Fixed<number>; name: Fixed<string> };

export type Tables = {
  bots: BotTable;
  tokens: TokenTable;
  versions: VersionTable;
  matches: MatchTable;
  seats: SeatTable;
  match_documents: DocumentTable;
  pair_counts: PairTable;
  version_activity: ActivityTable;
  ladder_tallies: TallyTable;
  audit: AuditTable;
  schema_migrations: SchemaTable;
};

export type Database = Kysely<Tables>;
export type OpenTransaction = Transaction<Tables>;
