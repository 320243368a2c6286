// What the service says about itself: versions, limits in force, addresses.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import { LIMIT_GROUPS, LIMITS, namesIn } from "#core/words/limits.ts";
import type { LimitGroup, LimitName, Limits } from "#core/words/limits.ts";

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

type SchemaOf<N extends LimitName> = Limits[N] extends number ? typeof FIGURE : typeof SWITCH;
const [FIGURE, SWITCH] = [Type.Number(), Type.Boolean()];

/** All limits of a group. */
function figures<const G extends LimitGroup>(group: G) {
  type Name = ReturnType<typeof namesIn<G>>[number];
  const names = namesIn(group) as LimitName[];
  const schemaOf = (name: LimitName) => (typeof LIMITS[name] === "boolean" ? SWITCH : FIGURE);
  const properties = Object.fromEntries(names.map((name) => [name, schemaOf(name)]));
  return Type.Object(properties as { [K in Name]: SchemaOf<K> }, { additionalProperties: false });
}

export const PolicySchema = Type.Object(
  {
    bot: figures("bot"),
    account: figures("account"),
    identity: figures("identity"),
    mail: figures("mail"),
    ladder: figures("ladder"),
    event: figures("event"),
    announcements: figures("announcements"),
    messages: figures("messages"),
    deadlines: figures("deadlines"),
    http: figures("http"),
    replays: figures("replays"),
    profiling: figures("profiling"),
    addresses: Nullable(figures("addresses")),
  },
  { description: "limits in force; units end the names: _s seconds, _ms, _bytes, else counts" },
);
type Policy = Static<typeof PolicySchema>;

/** The limits by group, as `GET /api` reports them. Per-address limits only where they apply. */
export function policyOf(limits: Limits, isPerAddress: boolean): Policy {
  const inForce = (group: LimitGroup) =>
    Object.fromEntries(namesIn(group).map((name) => [name, limits[name]] as const));
  const all = Object.fromEntries(LIMIT_GROUPS.map((group) => [group, inForce(group)])) as Policy;
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
  commands: Nullable(
    Path(
      "the author commands as an npm package, at an address that changes with the release: npx <its address> sim ...",
    ),
  ),
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
