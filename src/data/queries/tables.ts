import type { Kysely, Transaction } from "kysely";

import type { ActorKind, AuditKind, SubjectKind } from "#core/ids/audit-kinds.ts";
import type { AvatarName } from "#core/ids/avatars.ts";
import type { BotStatus } from "#core/ids/bot-status.ts";
import type { MatchMode, UnratedReason } from "#core/ids/match-modes.ts";
import type { AccountTables } from "#data/accounts/account-tables.ts";
import type { AnnouncementTables } from "#data/announcements/announcement-tables.ts";
import type { EventTables } from "#data/events/event-tables.ts";
import type { IdentityTables } from "#data/identity/identity-tables.ts";
import type { Fixed } from "#data/identity/immutable-column.ts";
import type { LadderTables } from "#data/ladders/ladder-tables.ts";
import type { MailTables } from "#data/mail/mail-tables.ts";
import type { SettingsTables } from "#data/settings/settings-tables.ts";

/** 0 or 1, which both databases accept in a numeric column. */
type Flag = number;

export type BotTable = {
  id: Fixed<string>;
  name: string;
  name_key: string;
  owner: string;
  owner_id: string;
  house: Flag;
  status: BotStatus;
  status_reason: string | null;
  status_since: string | null;
  created: Fixed<string>;
  avatar: AvatarName | null;
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

/** `season` is empty on ladders without seasons. */
type CompetitionColumns = { ladder_id: Fixed<string>; season: Fixed<string> };

type ResultColumns = { wins: number; draws: number; losses: number };

export type MatchTable = CompetitionColumns & {
  id: Fixed<string>;
  mode: Fixed<MatchMode>;
  map: Fixed<string>;
  seed: Fixed<number>;
  started: Fixed<string>;
  ended: Fixed<string>;
  duration_ms: Fixed<number>;
  final_tick: Fixed<number>;
  reason: Fixed<string>;
  winner_seat: Fixed<number | null>;
  voided: Fixed<Flag>;
  rated: Fixed<Flag>;
  unrated_reason: Fixed<UnratedReason | null>;
};

/**
 * Ladder, season, mode and end time are copied from the match, so that one index serves a bot's
 * match list.
 */
export type SeatTable = CompetitionColumns & {
  match_id: Fixed<string>;
  seat: Fixed<number>;
  bot_id: Fixed<string | null>;
  version_id: Fixed<string | null>;
  account_id: Fixed<string | null>;
  name: Fixed<string>;
  version: Fixed<string>;
  fighter: Fixed<string>;
  rating_before: Fixed<number | null>;
  rating_after: Fixed<number | null>;
  deviation_after: Fixed<number | null>;
  score_after: Fixed<number | null>;
  rated_games: Fixed<number | null>;
  mode: Fixed<MatchMode>;
  ended: Fixed<string>;
};

/** The newest replay that a keeper has released. See retained-replays.ts. */
type ReleasedReplayTable = { keeper: Fixed<string>; ended: string; match_id: string };

/** A replay that is retained even if its bots release it. See starred-replay.ts. */
type PinnedReplayTable = {
  match_id: Fixed<string>;
  keeper: Fixed<string>;
  account_id: Fixed<string | null>;
  at: string;
};

export type MatchDocumentTable = {
  match_id: Fixed<string>;
  pairing: Fixed<string>;
  stats: Fixed<Uint8Array | null>;
};

export type VersionTurnTable = {
  version_id: Fixed<string>;
  ended: Fixed<string>;
  match_id: Fixed<string>;
  figures: Fixed<string>;
};

type UncountedTurnTable = { ended: Fixed<string>; match_id: Fixed<string> };

export type PairCountTable = CompetitionColumns &
  ResultColumns & {
    first_version: Fixed<string>;
    second_version: Fixed<string>;
    map: Fixed<string>;
  };

export type VersionActivityTable = CompetitionColumns & {
  version_id: Fixed<string>;
  bot_id: Fixed<string>;
  last_played: string;
  last_match_id: string;
  seat_balance: number;
};

export type LadderTallyTable = CompetitionColumns & {
  games: number;
  draws: number;
  voided: number;
  stats_games: number;
  /** End times of the first and last match, including void matches. */
  first_ended: string;
  last_ended: string;
};

/** One row per bot and opponent, so each match updates two rows. */
export type BotOpponentTable = CompetitionColumns &
  ResultColumns & {
    bot_id: Fixed<string>;
    opponent_id: Fixed<string>;
    /**
     * Half points of the bot that took fewer. Set in only one of the two rows, and only between
     * players' bots. An index on this column finds rivalries.
     */
    shared: number | null;
  };

export type BotMapTable = CompetitionColumns &
  ResultColumns & { bot_id: Fixed<string>; map: Fixed<string> };

export type AllTimeRivalTable = ResultColumns & {
  ladder_id: Fixed<string>;
  bot_id: Fixed<string>;
  opponent_id: Fixed<string>;
  shared: number;
};

export type AllTimeMapTable = ResultColumns & {
  ladder_id: Fixed<string>;
  bot_id: Fixed<string>;
  map: Fixed<string>;
};

export type HighlightTable = CompetitionColumns & {
  kind: Fixed<string>;
  match_id: string;
  value: number;
};

export type BotPlayTable = CompetitionColumns & {
  bot_id: Fixed<string>;
  games: number;
  ticks: number;
  moves: number;
  dashes: number;
  uses: number;
  hits: number;
  damage_dealt: number;
  damage_taken: number;
  healed: number;
  wall_slams: number;
  zone_damage: number;
  idles: number;
};

export type BotWeaponTable = CompetitionColumns & {
  bot_id: Fixed<string>;
  attack: Fixed<string>;
  uses: number;
  hits: number;
  damage: number;
};

type SeasonTable = {
  id: Fixed<string>;
  opens_at: Fixed<string>;
  closes_at: Fixed<string>;
  archived_at: string | null;
};

export type FinalStandingTable = CompetitionColumns & {
  rank: Fixed<number>;
  bot_id: Fixed<string>;
  version_id: Fixed<string>;
  name: Fixed<string>;
  owner: Fixed<string>;
  house: Fixed<Flag>;
  label: Fixed<string>;
  rating: Fixed<number>;
  deviation: Fixed<number>;
  wins: Fixed<number>;
  draws: Fixed<number>;
  losses: Fixed<number>;
};

/** Space-separated, because the IDs are only read together. */
type DailyPlacesTable = CompetitionColumns & {
  day: Fixed<string>;
  noted_at: Fixed<string>;
  bot_ids: Fixed<string>;
};

export type DailyCountTable = {
  day: Fixed<string>;
  users: number;
  bots: number;
  versions: number;
  ranked: number;
  other: number;
  voided: number;
};

export type DailyBotTable = {
  day: Fixed<string>;
  bot_id: Fixed<string>;
  ranked: number;
  other: number;
  voided: number;
};

export type DailyMapTable = { day: Fixed<string>; map: Fixed<string>; games: number };

export type AuditTable = {
  id: Fixed<string>;
  at: Fixed<string>;
  kind: Fixed<AuditKind>;
  actor_kind: Fixed<ActorKind>;
  actor_id: Fixed<string | null>;
  actor_name: Fixed<string | null>;
  subject_kind: Fixed<SubjectKind | null>;
  subject_id: Fixed<string | null>;
  subject_name: Fixed<string | null>;
  reason: Fixed<string | null>;
  detail: Fixed<string | null>;
  actor_account_id: Fixed<string | null>;
  actor_account_name: Fixed<string | null>;
  person_id: Fixed<string | null>;
  person_name: Fixed<string | null>;
};

type SchemaTable = { number: Fixed<number>; name: Fixed<string> };

export type DatabaseSchema = IdentityTables &
  AccountTables &
  LadderTables &
  SettingsTables &
  AnnouncementTables &
  MailTables &
  EventTables & {
    bots: BotTable;
    tokens: TokenTable;
    versions: VersionTable;
    matches: MatchTable;
    seats: SeatTable;
    match_documents: MatchDocumentTable;
    released_replays: ReleasedReplayTable;
    pinned_replays: PinnedReplayTable;
    version_turns: VersionTurnTable;
    uncounted_turns: UncountedTurnTable;
    pair_counts: PairCountTable;
    version_activity: VersionActivityTable;
    ladder_tallies: LadderTallyTable;
    bot_opponents: BotOpponentTable;
    bot_maps: BotMapTable;
    ever_rivals: AllTimeRivalTable;
    ever_maps: AllTimeMapTable;
    bot_play: BotPlayTable;
    bot_weapons: BotWeaponTable;
    highlights: HighlightTable;
    seasons: SeasonTable;
    final_standings: FinalStandingTable;
    noted_places: DailyPlacesTable;
    daily_figures: DailyCountTable;
    daily_bots: DailyBotTable;
    daily_maps: DailyMapTable;
    audit: AuditTable;
    schema_migrations: SchemaTable;
  };

export type Database = Kysely<DatabaseSchema>;
export type OpenTransaction = Transaction<DatabaseSchema>;
