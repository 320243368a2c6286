// The one table of limits and settings. What is enforced is read from here, and everything that
// reports a limit is derived from it: `operational_policy`, the page of limits, flags and their
// bounds, and the checks on an operator's changes.

import { ANNOUNCEMENT_LIMITS } from "./announcement-limits.ts";
import { EVENT_LIMITS } from "./event-limits.ts";
import { FAILED_SHARE_LIMITS, FLOOD_LIMITS } from "./flood-limits.ts";
import { HTTP_LIMITS } from "./http-limits.ts";
import { IDENTITY_LIMITS } from "./identity-limits.ts";
import { LADDER_LIMITS } from "./ladder-limits.ts";
import { COUNT, DAY_S, fixed, HOUR_S } from "./limit-row.ts";
import type { LimitGroup, LimitRow } from "./limit-row.ts";
import { MAIL_LIMITS } from "./mail-limits.ts";
import { PROFILING_LIMITS } from "./profiling-limits.ts";
import { REPLAY_LIMITS } from "./replay-limits.ts";

export { LIMIT_GROUPS } from "./limit-row.ts";
export type { LimitGroup, LimitRow } from "./limit-row.ts";

/** In the order of the report. A unit ends the name (_s, _ms, _bytes); the rest are counts. */
export const LIMIT_TABLE = {
  match_interval_s: {
    group: "bot",
    default: 0.3,
    about: "seconds between two match starts of a bot",
    type: "number",
    least: 0,
    most: DAY_S,
    applies: "at once",
    flag: { name: "match-interval", about: "least time between two match starts of a bot" },
  },
  owner_concurrency: {
    group: "bot",
    default: 40,
    about: "matches of an owner at once",
    type: "integer",
    least: 1,
    most: 100_000,
    applies: "at once",
    flag: { name: "owner-concurrency", about: "matches at once of one owner" },
  },
  hourly_quota: {
    group: "bot",
    default: 10_000,
    about: "matches of a bot in an hour; house bots have no quota",
    ...COUNT,
    applies: "at once",
    flag: { name: "hourly-quota", about: "matches of one bot in an hour" },
  },
  owner_daily_quota: {
    group: "bot",
    default: 50_000,
    about: "matches of an owner in 24 hours",
    ...COUNT,
    applies: "at once",
  },
  bots_per_owner: {
    group: "bot",
    default: 5,
    about: "bots, retired ones aside",
    ...COUNT,
    applies: "at once",
  },
  versions_per_day: {
    group: "bot",
    default: 1000,
    about: "new versions of a bot in 24 hours",
    ...COUNT,
    applies: "at once",
  },
  new_bots_per_day: fixed(
    "bot",
    100,
    "bots that an account creates in a UTC day, with deleted ones",
  ),
  registration_open: {
    group: "bot",
    default: true,
    about: "whether bots can be registered",
    type: "boolean",
    applies: "at once",
  },
  practice_per_hour: fixed("bot", 20, "practice games that a bot asks for in an hour"),
  practice_wait_s: fixed("bot", 60, "seconds to queue for a practice game that was asked for"),
  practice_errors: fixed("bot", 20, "first errors in the report of a practice game"),
  practice_reports: fixed("bot", 1000, "newest reports of practice games that are kept"),
  bot_name_min: fixed("bot", 2, "characters of a bot's name, at least"),
  bot_name_max: fixed("bot", 24, "characters of a bot's name, at most"),
  owner_max: fixed("bot", 39, "code points of an owner's name, at most"),
  version_label_max: fixed("bot", 32, "characters of a version's label"),
  version_notes_max: fixed("bot", 2000, "characters of a version's notes"),
  version_notes_bytes_per_day: fixed(
    "bot",
    4 * 1024 * 1024,
    "bytes of notes for new versions of an account's bots in a UTC day",
  ),
  health_window_matches: fixed("bot", 500, "latest matches that a version's health looks at"),
  handle_min: fixed("account", 2, "characters of a handle, at least"),
  handle_max: fixed("account", 39, "characters of a handle, at most"),
  former_names: fixed(
    "account",
    5,
    "former handles of an account, and names of a bot, kept for it",
  ),
  former_names_days: fixed("account", 30, "days for which nobody else can take such a name"),
  agent_keys: fixed("account", 10, "agent keys of an account"),
  agent_keys_per_day: fixed(
    "account",
    100,
    "agent keys that an account creates in a UTC day, with revoked ones",
  ),
  renames_per_day: fixed(
    "account",
    100,
    "changes of an account's handle and its bots' names in a UTC day",
  ),
  new_tokens_per_day: fixed("account", 100, "replaced tokens of an account's bots in a UTC day"),
  agent_key_label_max: fixed("account", 60, "characters of an agent key's label"),
  recent_sign_in_s: fixed(
    "account",
    900,
    "seconds after a sign-in in which an account can be left",
  ),
  account_export: fixed("account", 1, "exports of an account in a minute"),
  audit_days: fixed("account", 400, "days that the audit is kept"),
  audit_throttled_days: fixed("account", 14, "days that its entries of throttled bots are kept"),
  reason_max: fixed("account", 1000, "characters of the reason that an operator gives"),
  moderated_shown: fixed("account", 500, "bots that an operator dealt with, in the overview"),
  analytics_days_default: fixed("account", 30, "days of the analytics, if not asked otherwise"),
  analytics_days_max: fixed("account", 366, "days of the analytics, at most"),
  analytics_bots: fixed("account", 10, "bots that the analytics name"),
  audit_shown: fixed("account", 50, "entries of the audit in the overview"),
  audit_list_default: fixed(
    "account",
    50,
    "entries of the audit in one list, if not asked otherwise",
  ),
  audit_list_max: fixed("account", 500, "entries of the audit in one list"),
  settings_history: fixed("account", 50, "latest changes of the settings that are kept"),
  settings_presets: fixed("account", 50, "sets of settings that are kept under a name"),
  preset_name_max: fixed("account", 60, "characters of such a name"),
  accounts_list_default: fixed("account", 50, "accounts in one list, if not asked otherwise"),
  accounts_list_max: fixed("account", 500, "accounts in one list"),
  signup_open: {
    group: "identity",
    default: true,
    about: "whether the embedded identity provider takes new people",
    type: "boolean",
    applies: "at once",
  },
  ...IDENTITY_LIMITS,
  ...MAIL_LIMITS,
  house_concurrency: {
    group: "ladder",
    default: 16,
    about: "matches with a house bot at once, over all ladders; practice and people aside",
    type: "integer",
    least: 0,
    most: 100_000,
    applies: "at once",
  },
  max_concurrent: {
    group: "ladder",
    default: 320,
    about: "matches of the server at once; with 0 none starts",
    type: "integer",
    // At 0 no match starts, which lets an operator stop play.
    least: 0,
    most: 100_000,
    applies: "at once",
    flag: { name: "max-concurrent", about: "matches at once on this server; with 0 none starts" },
  },
  play_concurrent: {
    group: "ladder",
    default: 8,
    about: "people who fight house bots at once",
    ...COUNT,
    applies: "at once",
  },
  practice_concurrent: {
    group: "ladder",
    default: 8,
    about: "practice games at once; more wait in order",
    ...COUNT,
    applies: "at once",
  },
  ...LADDER_LIMITS,
  wave_every_s: fixed("ladder", 2, "seconds between two waves of pairing"),
  rematch_hold_s: fixed("ladder", 10, "seconds before two bots may meet again"),
  rating_window_start: fixed("ladder", 400, "points between two that may meet"),
  rating_window_per_s: fixed("ladder", 20, "points that the window grows in a second"),
  rating_window_cap: fixed("ladder", 1200, "points, the widest window"),
  priority_wait_s: fixed("ladder", 60, "seconds of waiting after which a bot comes first"),
  qualifying_games: fixed("ladder", 30, "rated games for a rank"),
  places_kept_days: fixed("ladder", 40, "days whose standings at midnight UTC are kept"),
  ...EVENT_LIMITS,
  ...ANNOUNCEMENT_LIMITS,
  messages_per_tick: {
    group: "messages",
    default: 5,
    about: "frames of a bot in one tick of a match",
    ...COUNT,
    applies: "new matches",
  },
  messages_per_second: {
    group: "messages",
    default: 50,
    about: "frames of a bot outside a match",
    ...COUNT,
    applies: "next connection",
  },
  ...FLOOD_LIMITS,
  control_frames_per_second: fixed("messages", 100, "pings and pongs of a bot"),
  message_bytes: fixed("messages", 16 * 1024, "bytes of one message from a bot"),
  quota_notice_every_s: fixed(
    "messages",
    300,
    "seconds between two `quota_exceeded` for one reason",
  ),
  send_buffer_bytes: fixed("messages", 256 * 1024, "bytes that wait for a bot that does not read"),
  sockets_total: fixed("messages", 12_000, "connections of bots and people"),
  sockets_waiting_for_token: fixed("messages", 1000, "connections whose token is being looked up"),
  startup_s: {
    group: "deadlines",
    default: 10,
    about: "seconds to say `ready`",
    type: "number",
    least: 0.01,
    most: HOUR_S,
    applies: "new matches",
    flag: { name: "startup-seconds", about: "time to say ready" },
  },
  tick_s: {
    group: "deadlines",
    default: 1,
    about: "seconds to answer one observation",
    type: "number",
    least: 0.01,
    most: HOUR_S,
    applies: "new matches",
    flag: { name: "tick-seconds", about: "time to answer one observation" },
  },
  play_tick_ms: {
    group: "deadlines",
    default: 500,
    about: "milliseconds of a tick in a person's fight",
    type: "integer",
    least: 10,
    most: 60_000,
    applies: "new matches",
  },
  play_silent_ticks: fixed(
    "deadlines",
    20,
    "ticks in a row that a person says nothing, or sends only mistakes, and loses the fight",
  ),
  budget_s: {
    group: "deadlines",
    default: 300,
    about: "seconds for all answers of a match",
    type: "number",
    least: 0.01,
    most: DAY_S,
    applies: "new matches",
    flag: { name: "budget-seconds", about: "time to answer in a whole match" },
  },
  failed_ticks_to_disqualify: {
    group: "deadlines",
    default: 10,
    about: "failed ticks in a row that lose the match",
    ...COUNT,
    applies: "new matches",
  },
  ...FAILED_SHARE_LIMITS,
  reconnect_grace_s: {
    group: "deadlines",
    default: 10,
    about: "seconds to come back into a match",
    type: "number",
    least: 0,
    most: HOUR_S,
    applies: "new matches",
    flag: { name: "reconnect-grace", about: "time to come back into a match" },
  },
  stall_ms: fixed(
    "deadlines",
    250,
    "milliseconds: a longer pause of the server is charged to nobody",
  ),
  ping_interval_s: {
    group: "deadlines",
    default: 25,
    about: "seconds between pings",
    type: "number",
    least: 0.05,
    most: HOUR_S,
    applies: "at once",
    flag: { name: "ping-interval", about: "between two pings of the server" },
  },
  drain_timeout_s: {
    group: "deadlines",
    default: 600,
    about: "seconds for matches to end at a stop",
    type: "number",
    least: 0,
    most: DAY_S,
    applies: "at once",
    flag: { name: "drain-timeout", about: "time for running matches to end at shutdown" },
  },
  ...HTTP_LIMITS,
  ...REPLAY_LIMITS,
  ...PROFILING_LIMITS,
  reads_per_second: fixed("addresses", 50, "GET requests of one address, on average"),
  reads_burst: fixed("addresses", 200, "GET requests of one address at once"),
  writes_per_second: fixed("addresses", 5, "other requests of one address, on average"),
  writes_burst: fixed("addresses", 20, "other requests of one address at once"),
  mcp_per_second: fixed(
    "addresses",
    10,
    "requests of one address to the MCP endpoint, on average; they count nowhere else",
  ),
  mcp_burst: fixed("addresses", 60, "requests of one address to the MCP endpoint at once"),
  upgrades_per_second: fixed(
    "addresses",
    1000,
    "bot sockets that one address opens, at once and on average",
  ),
  play_starts_per_minute: fixed(
    "addresses",
    10,
    "fights against house bots that people at one address begin, at once and on average",
  ),
  pages_waiting: fixed("addresses", 40, "new pages of one address that wait to be made"),
} as const satisfies Record<string, LimitRow>;

type Table = typeof LIMIT_TABLE;
export type LimitName = keyof Table;
type ValueOf<Row> = Row extends { type: "boolean" } ? boolean : number;
export type Limits = { readonly [K in LimitName]: ValueOf<Table[K]> };
type NamesWhere<Row> = { [K in LimitName]: Table[K] extends Row ? K : never }[LimitName];
type FixedName = NamesWhere<{ applies: "fixed" }>;
export type FixedLimits = Pick<Limits, FixedName>;
export type SettingName = Exclude<LimitName, FixedName>;
/** What an operator may change while a server runs. */
export type Overrides = Partial<Pick<Limits, SettingName>>;
export type LimitFlag = Extract<Table[LimitName], { flag: object }>["flag"]["name"];

const NAMES = Object.keys(LIMIT_TABLE) as LimitName[];

const isFixed = (name: LimitName): name is FixedName => LIMIT_TABLE[name].applies === "fixed";

/** What an operator may change, in the order of the table. */
export const SETTING_NAMES = NAMES.filter((name): name is SettingName => !isFixed(name));

/** The limits of a group, in the order of the table. */
export const namesIn = <G extends LimitGroup>(group: G) =>
  NAMES.filter((name) => LIMIT_TABLE[name].group === group) as NamesWhere<{ group: G }>[];

const defaultsOf = (names: readonly LimitName[]) =>
  Object.freeze(
    Object.fromEntries(names.map((name) => [name, LIMIT_TABLE[name].default] as const)),
  );

/** The defaults. The values in force on a server come from its live settings. */
export const LIMITS = defaultsOf(NAMES) as Limits;

/** The limits that are the same on every server, as plain constants. */
export const FIXED = defaultsOf(NAMES.filter(isFixed)) as FixedLimits;

/** The defaults, with changes applied. */
export function limitsWith(changes: Partial<Limits>): Limits {
  return { ...LIMITS, ...changes };
}
