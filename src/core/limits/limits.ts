// The table of limits and settings. It is the only source for enforcement, `operational_policy`,
// the limits page, command-line flags and the validation of operator changes.

import { ANNOUNCEMENT_LIMITS } from "./announcement-limits.ts";
import { EVENT_LIMITS } from "./event-limits.ts";
import { HTTP_LIMITS } from "./http-limits.ts";
import { IDENTITY_LIMITS } from "./identity-limits.ts";
import { LADDER_LIMITS } from "./ladder-limits.ts";
import { COUNT_SETTING, DAY_S, fixedLimit, HOUR_S } from "./limit-row.ts";
import type { LimitGroup, LimitRow } from "./limit-row.ts";
import { MAIL_LIMITS } from "./mail-limits.ts";
import { FAILED_TICK_LIMITS, MESSAGE_RATE_LIMITS } from "./message-rate-limits.ts";
import { PROFILING_LIMITS } from "./profiling-limits.ts";
import { REPLAY_LIMITS } from "./replay-limits.ts";

export { LIMIT_GROUPS } from "./limit-row.ts";
export type { LimitGroup, LimitRow } from "./limit-row.ts";

/**
 * In report order. The suffix names the unit (_s, _ms, _bytes). Limits without a suffix are counts.
 */
export const LIMIT_TABLE = {
  match_interval_s: {
    group: "bot",
    default: 0.3,
    about: "seconds between a bot's match starts",
    type: "number",
    least: 0,
    most: DAY_S,
    applies: "at once",
    flag: { name: "match-interval", about: "minimum time between a bot's match starts" },
  },
  owner_concurrency: {
    group: "bot",
    default: 40,
    about: "concurrent matches per owner",
    type: "integer",
    least: 1,
    most: 100_000,
    applies: "at once",
    flag: { name: "owner-concurrency", about: "concurrent matches per owner" },
  },
  hourly_quota: {
    group: "bot",
    default: 10_000,
    about: "matches per bot in an hour; house bots have no quota",
    ...COUNT_SETTING,
    applies: "at once",
    flag: { name: "hourly-quota", about: "matches per bot in an hour" },
  },
  owner_daily_quota: {
    group: "bot",
    default: 50_000,
    about: "matches per owner in 24 hours",
    ...COUNT_SETTING,
    applies: "at once",
  },
  bots_per_owner: {
    group: "bot",
    default: 5,
    about: "bots per owner, excluding retired ones",
    ...COUNT_SETTING,
    applies: "at once",
  },
  versions_per_day: {
    group: "bot",
    default: 1000,
    about: "new versions of a bot in 24 hours",
    ...COUNT_SETTING,
    applies: "at once",
  },
  new_bots_per_day: fixedLimit(
    "bot",
    100,
    "bots that an account creates in a UTC day, including deleted ones",
  ),
  registration_open: {
    group: "bot",
    default: true,
    about: "whether bots can be registered",
    type: "boolean",
    applies: "at once",
  },
  practice_per_hour: fixedLimit("bot", 20, "practice games that a bot requests in an hour"),
  practice_wait_s: fixedLimit("bot", 60, "seconds to queue for a requested practice game"),
  practice_errors: fixedLimit("bot", 20, "first errors in the report of a practice game"),
  practice_reports: fixedLimit("bot", 1000, "newest reports of practice games stored"),
  bot_name_min: fixedLimit("bot", 2, "minimum characters in a bot's name"),
  bot_name_max: fixedLimit("bot", 24, "maximum characters in a bot's name"),
  owner_max: fixedLimit("bot", 39, "maximum code points in an owner's name"),
  version_label_max: fixedLimit("bot", 32, "characters in a version's label"),
  version_notes_max: fixedLimit("bot", 2000, "characters in a version's notes"),
  version_notes_bytes_per_day: fixedLimit(
    "bot",
    4 * 1024 * 1024,
    "bytes of notes for new versions of an account's bots in a UTC day",
  ),
  health_window_matches: fixedLimit("bot", 500, "latest matches used for a version's health"),
  handle_min: fixedLimit("account", 2, "minimum characters in a handle"),
  handle_max: fixedLimit("account", 39, "maximum characters in a handle"),
  former_names: fixedLimit(
    "account",
    5,
    "former handles reserved for an account, and former names reserved for a bot",
  ),
  former_names_days: fixedLimit("account", 30, "days for which such a name is reserved"),
  agent_keys: fixedLimit("account", 10, "agent keys per account"),
  agent_keys_per_day: fixedLimit(
    "account",
    100,
    "agent keys that an account creates in a UTC day, including revoked ones",
  ),
  renames_per_day: fixedLimit(
    "account",
    100,
    "changes to an account's handle and its bots' names in a UTC day",
  ),
  new_tokens_per_day: fixedLimit(
    "account",
    100,
    "bot tokens that an account replaces in a UTC day",
  ),
  agent_key_label_max: fixedLimit("account", 60, "characters in an agent key's label"),
  recent_sign_in_s: fixedLimit(
    "account",
    900,
    "seconds after a sign-in in which an account can be deleted",
  ),
  account_export: fixedLimit("account", 1, "exports of an account in a minute"),
  audit_days: fixedLimit("account", 400, "days that audit log entries are kept"),
  audit_throttled_days: fixedLimit(
    "account",
    14,
    "days that audit log entries about throttled bots are kept",
  ),
  reason_max: fixedLimit("account", 1000, "characters in an operator's reason"),
  moderated_shown: fixedLimit("account", 500, "moderated bots in the overview"),
  analytics_days_default: fixedLimit("account", 30, "days in the analytics, by default"),
  analytics_days_max: fixedLimit("account", 366, "maximum days in the analytics"),
  analytics_bots: fixedLimit("account", 10, "bots in the analytics"),
  audit_shown: fixedLimit("account", 50, "audit log entries in the overview"),
  audit_list_default: fixedLimit("account", 50, "audit log entries in one list, by default"),
  audit_list_max: fixedLimit("account", 500, "audit log entries in one list"),
  settings_history: fixedLimit("account", 50, "latest settings changes stored"),
  settings_presets: fixedLimit("account", 50, "settings presets"),
  preset_name_max: fixedLimit("account", 60, "characters in a preset's name"),
  accounts_list_default: fixedLimit("account", 50, "accounts in one list, by default"),
  accounts_list_max: fixedLimit("account", 500, "accounts in one list"),
  signup_open: {
    group: "identity",
    default: true,
    about: "whether the embedded identity provider accepts sign-ups",
    type: "boolean",
    applies: "at once",
  },
  ...IDENTITY_LIMITS,
  ...MAIL_LIMITS,
  house_concurrency: {
    group: "ladder",
    default: 16,
    about:
      "concurrent matches with a house bot, across all ladders; excludes practice and human matches",
    type: "integer",
    least: 0,
    most: 100_000,
    applies: "at once",
  },
  max_concurrent: {
    group: "ladder",
    default: 320,
    about: "concurrent matches on the server; with 0, no match starts",
    type: "integer",
    // At 0 no match starts, which lets operators pause play.
    least: 0,
    most: 100_000,
    applies: "at once",
    flag: {
      name: "max-concurrent",
      about: "concurrent matches on this server; with 0, no match starts",
    },
  },
  play_concurrent: {
    group: "ladder",
    default: 8,
    about: "concurrent human matches",
    ...COUNT_SETTING,
    applies: "at once",
  },
  practice_concurrent: {
    group: "ladder",
    default: 8,
    about: "concurrent practice games; others wait in order",
    ...COUNT_SETTING,
    applies: "at once",
  },
  watch_delay_ticks: {
    group: "ladder",
    default: 10,
    about: "minimum age of a live match's frames in ticks, for spectators",
    type: "integer",
    least: 0,
    most: 1000,
    applies: "at once",
  },
  watch_delay_s: fixedLimit(
    "ladder",
    2,
    "minimum age of a live match's frames in seconds, for spectators",
  ),
  watchers_total: fixedLimit("ladder", 5000, "spectators of live matches"),
  ...LADDER_LIMITS,
  wave_every_s: fixedLimit("ladder", 2, "seconds between two waves of pairing"),
  rematch_hold_s: fixedLimit("ladder", 10, "seconds before two bots may meet again"),
  rating_window_start: fixedLimit(
    "ladder",
    400,
    "rating points between two bots that may be paired",
  ),
  rating_window_per_s: fixedLimit("ladder", 20, "points by which the window grows per second"),
  rating_window_cap: fixedLimit("ladder", 1200, "points in the widest window"),
  priority_wait_s: fixedLimit("ladder", 60, "seconds of waiting after which a bot has priority"),
  qualifying_games: fixedLimit("ladder", 30, "rated games required for a rank"),
  places_kept_days: fixedLimit("ladder", 40, "days for which standings at midnight UTC are stored"),
  ...EVENT_LIMITS,
  ...ANNOUNCEMENT_LIMITS,
  messages_per_tick: {
    group: "messages",
    default: 5,
    about: "frames from a bot in one tick of a match",
    ...COUNT_SETTING,
    applies: "new matches",
  },
  messages_per_second: {
    group: "messages",
    default: 50,
    about: "frames from a bot outside a match",
    ...COUNT_SETTING,
    applies: "next connection",
  },
  ...MESSAGE_RATE_LIMITS,
  control_frames_per_second: fixedLimit("messages", 100, "pings and pongs from a bot"),
  message_bytes: fixedLimit("messages", 16 * 1024, "bytes per message from a bot"),
  quota_notice_every_s: fixedLimit(
    "messages",
    300,
    "seconds between two `quota_exceeded` errors for the same reason",
  ),
  send_buffer_bytes: fixedLimit(
    "messages",
    256 * 1024,
    "bytes buffered for a bot that is not reading",
  ),
  sockets_total: fixedLimit("messages", 12_000, "connections from bots and people"),
  sockets_waiting_for_token: fixedLimit(
    "messages",
    1000,
    "connections with a pending token lookup",
  ),
  startup_s: {
    group: "deadlines",
    default: 10,
    about: "seconds to send `ready`",
    type: "number",
    least: 0.01,
    most: HOUR_S,
    applies: "new matches",
    flag: { name: "startup-seconds", about: "time to send ready" },
  },
  tick_s: {
    group: "deadlines",
    default: 1,
    about: "seconds to reply to one observation",
    type: "number",
    least: 0.01,
    most: HOUR_S,
    applies: "new matches",
    flag: { name: "tick-seconds", about: "time to reply to one observation" },
  },
  play_tick_ms: {
    group: "deadlines",
    default: 500,
    about: "milliseconds per tick in a human match",
    type: "integer",
    least: 10,
    most: 60_000,
    applies: "new matches",
  },
  play_silent_ticks: fixedLimit(
    "deadlines",
    20,
    "consecutive ticks without a valid turn after which a person loses a human match",
  ),
  budget_s: {
    group: "deadlines",
    default: 300,
    about: "seconds for all replies in a match",
    type: "number",
    least: 0.01,
    most: DAY_S,
    applies: "new matches",
    flag: { name: "budget-seconds", about: "time to reply in a whole match" },
  },
  failed_ticks_to_disqualify: {
    group: "deadlines",
    default: 10,
    about: "consecutive failed ticks that lose the match",
    ...COUNT_SETTING,
    applies: "new matches",
  },
  ...FAILED_TICK_LIMITS,
  reconnect_grace_s: {
    group: "deadlines",
    default: 10,
    about: "seconds to reconnect to a match",
    type: "number",
    least: 0,
    most: HOUR_S,
    applies: "new matches",
    flag: { name: "reconnect-grace", about: "time to reconnect to a match" },
  },
  stall_ms: fixedLimit(
    "deadlines",
    250,
    "milliseconds; longer event loop stalls are not charged to bots",
  ),
  ping_interval_s: {
    group: "deadlines",
    default: 25,
    about: "seconds between pings",
    type: "number",
    least: 0.05,
    most: HOUR_S,
    applies: "at once",
    flag: { name: "ping-interval", about: "time between two pings from the server" },
  },
  drain_timeout_s: {
    group: "deadlines",
    default: 600,
    about: "seconds for running matches to end at shutdown",
    type: "number",
    least: 0,
    most: DAY_S,
    applies: "at once",
    flag: { name: "drain-timeout", about: "time for running matches to end at shutdown" },
  },
  ...HTTP_LIMITS,
  ...REPLAY_LIMITS,
  ...PROFILING_LIMITS,
  watchers_per_address: fixedLimit("addresses", 100, "spectators of live matches from one address"),
  reads_per_second: fixedLimit("addresses", 50, "GET requests from one address, on average"),
  reads_burst: fixedLimit("addresses", 200, "GET requests from one address in a burst"),
  writes_per_second: fixedLimit("addresses", 5, "other requests from one address, on average"),
  writes_burst: fixedLimit("addresses", 20, "other requests from one address in a burst"),
  mcp_per_second: fixedLimit(
    "addresses",
    10,
    "requests from one address to the MCP endpoint, on average; they count towards no other limit",
  ),
  mcp_burst: fixedLimit(
    "addresses",
    60,
    "requests from one address to the MCP endpoint in a burst",
  ),
  upgrades_per_second: fixedLimit(
    "addresses",
    1000,
    "bot sockets opened from one address, in a burst and on average",
  ),
  play_starts_per_minute: fixedLimit(
    "addresses",
    10,
    "human matches started from one address, in a burst and on average",
  ),
  pages_waiting: fixedLimit(
    "addresses",
    40,
    "new pages requested from one address and waiting to be rendered",
  ),
} as const satisfies Record<string, LimitRow>;

type LimitTable = typeof LIMIT_TABLE;
export type LimitName = keyof LimitTable;
type LimitValue<Row> = Row extends { type: "boolean" } ? boolean : number;
export type Limits = { readonly [K in LimitName]: LimitValue<LimitTable[K]> };
type LimitNamesWhere<Row> = { [K in LimitName]: LimitTable[K] extends Row ? K : never }[LimitName];
type FixedLimitName = LimitNamesWhere<{ applies: "fixed" }>;
export type FixedLimits = Pick<Limits, FixedLimitName>;
export type SettingName = Exclude<LimitName, FixedLimitName>;
/** Limits that operators may change while a server is running. */
export type Overrides = Partial<Pick<Limits, SettingName>>;
export type LimitFlag = Extract<LimitTable[LimitName], { flag: object }>["flag"]["name"];

const LIMIT_NAMES = Object.keys(LIMIT_TABLE) as LimitName[];

const isFixedLimit = (name: LimitName): name is FixedLimitName =>
  LIMIT_TABLE[name].applies === "fixed";

export const SETTING_NAMES = LIMIT_NAMES.filter((name): name is SettingName => !isFixedLimit(name));

export const limitNamesIn = <G extends LimitGroup>(group: G) =>
  LIMIT_NAMES.filter((name) => LIMIT_TABLE[name].group === group) as LimitNamesWhere<{
    group: G;
  }>[];

const defaultLimits = (names: readonly LimitName[]) =>
  Object.freeze(
    Object.fromEntries(names.map((name) => [name, LIMIT_TABLE[name].default] as const)),
  );

/** Default values. The values in force on a server come from its live settings. */
export const DEFAULT_LIMITS = defaultLimits(LIMIT_NAMES) as Limits;

export const FIXED_LIMITS = defaultLimits(LIMIT_NAMES.filter(isFixedLimit)) as FixedLimits;

export function limitsWith(changes: Partial<Limits>): Limits {
  return { ...DEFAULT_LIMITS, ...changes };
}
