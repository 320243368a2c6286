// What the service says about itself: versions, limits in force, addresses.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Each, Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import { LIMIT_GROUPS, namesIn } from "#core/words/limits.ts";
import type { LimitGroup, Limits } from "#core/words/limits.ts";

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

const PolicySchema = Type.Object(
  {
    bot: Each(namesIn("bot"), Type.Number()),
    account: Each(namesIn("account"), Type.Number()),
    identity: Each(namesIn("identity"), Type.Number()),
    mail: Each(namesIn("mail"), Type.Number()),
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

/** The limits by group, as `GET /api` reports them. Per-address limits only where they apply. */
export function policyOf(limits: Limits, isPerAddress: boolean): Policy {
  const figures = (group: LimitGroup) =>
    Object.fromEntries(namesIn(group).map((name) => [name, limits[name]]));
  const all = Object.fromEntries(LIMIT_GROUPS.map((group) => [group, figures(group)])) as Policy;
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
  play: Nullable(
    Type.Object({
      endpoint: Link("the socket of a person's fight; ?opponent= names the house bot"),
      opponents: Type.Array(OneOf(HOUSE_KINDS), { description: "who can be fought" }),
      page: Path("where people fight"),
    }),
  ),
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
