// What the service says about itself: versions, limits in force, addresses.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Each, Nullable } from "#core/protocol/schema-fight.ts";
import type { LimitName, Limits } from "#core/words/limits.ts";

import { Link, Path } from "./common.ts";

export const VersionsSchema = Type.Object({
  release: Type.String(),
  engine: Type.String(),
  protocol: Type.String(),
  rules: Type.String(),
  rules_hash: Type.String(),
  schema: Type.Integer({ description: "of the database" }),
  commit: Type.Optional(Type.String({ description: "of a deployed ladder" })),
});
export type Versions = Static<typeof VersionsSchema>;

const GROUPS = ["bot", "ladder", "messages", "deadlines", "http", "replays", "addresses"] as const;
export type LimitGroup = (typeof GROUPS)[number];

/** Where `operational_policy` reports each limit; all of them are reported. */
const GROUP_OF: Record<LimitName, LimitGroup> = {
  match_interval_s: "bot",
  owner_concurrency: "bot",
  hourly_quota: "bot",
  owner_daily_quota: "bot",
  bots_per_owner: "bot",
  versions_per_day: "bot",
  bot_name_min: "bot",
  bot_name_max: "bot",
  owner_max: "bot",
  version_label_max: "bot",
  version_notes_max: "bot",
  health_window_matches: "bot",
  max_concurrent: "ladder",
  wave_every_s: "ladder",
  rematch_hold_s: "ladder",
  rating_window_start: "ladder",
  rating_window_per_s: "ladder",
  rating_window_cap: "ladder",
  priority_wait_s: "ladder",
  qualifying_games: "ladder",
  messages_per_tick: "messages",
  messages_per_second: "messages",
  control_frames_per_second: "messages",
  message_bytes: "messages",
  quota_notice_every_s: "messages",
  send_buffer_bytes: "messages",
  sockets_total: "messages",
  sockets_waiting_for_token: "messages",
  startup_s: "deadlines",
  tick_s: "deadlines",
  budget_s: "deadlines",
  failed_ticks_to_disqualify: "deadlines",
  reconnect_grace_s: "deadlines",
  stall_ms: "deadlines",
  ping_interval_s: "deadlines",
  drain_timeout_s: "deadlines",
  pipelined_requests: "http",
  connections_total: "http",
  headers_s: "http",
  request_s: "http",
  unread_answer_s: "http",
  header_bytes: "http",
  path_part_chars: "http",
  json_body_bytes: "http",
  matches_list_default: "http",
  matches_list_max: "http",
  recent_matches: "http",
  versions_shown: "http",
  versions_list_default: "http",
  versions_list_max: "http",
  history_points: "http",
  history_days_max: "http",
  rivalries_shown: "http",
  specialist_games: "http",
  matchups_shown_default: "http",
  matchups_shown_max: "http",
  matchups_minimum_default: "http",
  matchups_minimum_max: "http",
  replays_per_bot: "replays",
  replay_trim_every_s: "replays",
  reads_per_second: "addresses",
  reads_burst: "addresses",
  writes_per_second: "addresses",
  writes_burst: "addresses",
  upgrades_per_second: "addresses",
};

const names = Object.keys(GROUP_OF) as LimitName[];
/** The limits of a group, in the order of the table. */
export const namesIn = (group: LimitGroup) => names.filter((name) => GROUP_OF[name] === group);

const PolicySchema = Type.Object(
  {
    bot: Each(namesIn("bot"), Type.Number()),
    ladder: Each(namesIn("ladder"), Type.Number()),
    messages: Each(namesIn("messages"), Type.Number()),
    deadlines: Each(namesIn("deadlines"), Type.Number()),
    http: Each(namesIn("http"), Type.Number()),
    replays: Each(namesIn("replays"), Type.Number()),
    addresses: Nullable(Each(namesIn("addresses"), Type.Number())),
  },
  { description: "limits in force; units end the names: _s seconds, _ms, _bytes, else counts" },
);
type Policy = Static<typeof PolicySchema>;

/** The limits by group, as `GET /api` reports them; those of addresses only where they apply. */
export function policyOf(limits: Limits, isPerAddress: boolean): Policy {
  const figures = (group: LimitGroup) =>
    Object.fromEntries(namesIn(group).map((name) => [name, limits[name]]));
  const all = Object.fromEntries(GROUPS.map((group) => [group, figures(group)])) as Policy;
  return isPerAddress ? all : { ...all, addresses: null };
}

export const ApiIndexSchema = Type.Object({
  endpoints: Type.Record(Type.String(), Path("of a served route; {name} marks a part to fill in")),
  onboarding: Type.Object({
    signup: Nullable(Path("where to get an account")),
    sign_in: Nullable(Path("where to sign in")),
    handle: Nullable(Path("where an account gets its public handle")),
    register: Nullable(Path("where a bot is registered")),
    claim: Nullable(Path("where an account claims an existing bot")),
  }),
  versions: VersionsSchema,
  bot_endpoint: Link("the bot socket"),
  mcp: Nullable(Link("the MCP endpoint")),
  accounts: Nullable(
    Type.Object({ project_url: Link("the identity provider"), publishable_key: Type.String() }),
  ),
  authentication_required: Type.Boolean({ description: "registering a bot needs a credential" }),
  openapi: Nullable(Link("the OpenAPI contract")),
  simulator: Type.Object({
    javascript: Nullable(Path("the simulator as a module")),
    script: Nullable(Path("the simulator as a script")),
    python: Nullable(Path("the simulator for Python")),
    docs: Nullable(Path("its guide")),
  }),
  bot_code: Nullable(Path("list of bots to start from")),
  source: Nullable(Link("where a copy of the project is had")),
  docs: Path("list of documents and schemas"),
  guide: Path("the documents as pages"),
  llms: Path("what a language model should read, in order"),
  changelog: Nullable(Type.Object({ json: Path("as data"), page: Path("as a page") })),
  operational_policy: PolicySchema,
});
export type ApiIndex = Static<typeof ApiIndexSchema>;

export const ChangelogSchema = Type.Object({
  versions: VersionsSchema,
  markdown: Type.String({ description: "newest first; what is not released yet stands on top" }),
});

export const DocsIndexSchema = Type.Object({
  docs: Type.Array(Type.String(), { description: "each at /docs/<name>" }),
  schemas: Type.Array(Type.String(), { description: "each at /docs/schema/<name>.json" }),
});
