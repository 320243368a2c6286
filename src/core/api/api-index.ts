import { Type } from "typebox";
import type { Static } from "typebox";

import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { LIMIT_GROUPS, DEFAULT_LIMITS, limitNamesIn } from "#core/limits/limits.ts";
import type { LimitGroup, LimitName, Limits } from "#core/limits/limits.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { UrlSchema, PathSchema } from "./common-schemas.ts";

export const VersionsSchema = Type.Object({
  release: Type.String(),
  engine: Type.String(),
  protocol: Type.String(),
  rules: Type.String(),
  rules_hash: Type.String(),
  schema: Type.Integer({ description: "Database schema version." }),
  commit: Type.Optional(Type.String({ description: "Commit of the deployed release." })),
});
export type Versions = Static<typeof VersionsSchema>;

type LimitSchema<N extends LimitName> = Limits[N] extends number
  ? typeof NUMBER_SCHEMA
  : typeof BOOLEAN_SCHEMA;
const [NUMBER_SCHEMA, BOOLEAN_SCHEMA] = [Type.Number(), Type.Boolean()];

function limitGroupSchema<const G extends LimitGroup>(group: G) {
  type Name = ReturnType<typeof limitNamesIn<G>>[number];
  const names = limitNamesIn(group) as LimitName[];
  const limitSchema = (name: LimitName) =>
    typeof DEFAULT_LIMITS[name] === "boolean" ? BOOLEAN_SCHEMA : NUMBER_SCHEMA;
  const properties = Object.fromEntries(names.map((name) => [name, limitSchema(name)]));
  return Type.Object(properties as { [K in Name]: LimitSchema<K> }, {
    additionalProperties: false,
  });
}

export const PolicySchema = Type.Object(
  {
    bot: limitGroupSchema("bot"),
    account: limitGroupSchema("account"),
    identity: limitGroupSchema("identity"),
    mail: limitGroupSchema("mail"),
    ladder: limitGroupSchema("ladder"),
    event: limitGroupSchema("event"),
    announcements: limitGroupSchema("announcements"),
    messages: limitGroupSchema("messages"),
    deadlines: limitGroupSchema("deadlines"),
    http: limitGroupSchema("http"),
    replays: limitGroupSchema("replays"),
    profiling: limitGroupSchema("profiling"),
    addresses: Nullable(limitGroupSchema("addresses")),
  },
  {
    description:
      "Limits in force. Suffixes name the unit: _s for seconds, _ms for milliseconds, _bytes for bytes. Limits without a suffix are counts.",
  },
);
type OperationalPolicy = Static<typeof PolicySchema>;

/**
 * Returns the limits by group, as reported by `GET /api`. Omits per-address limits if they don't
 * apply.
 */
export function operationalPolicy(limits: Limits, isPerAddress: boolean): OperationalPolicy {
  const groupLimits = (group: LimitGroup) =>
    Object.fromEntries(limitNamesIn(group).map((name) => [name, limits[name]] as const));
  const policy = Object.fromEntries(
    LIMIT_GROUPS.map((group) => [group, groupLimits(group)]),
  ) as OperationalPolicy;
  return isPerAddress ? policy : { ...policy, addresses: null };
}

export const ApiIndexSchema = Type.Object({
  endpoints: Type.Record(Type.String(), PathSchema("Path of a route; {name} is a parameter.")),
  onboarding: Type.Object({
    signup: Nullable(PathSchema("URL for creating an account.")),
    sign_in: Nullable(PathSchema("URL for signing in.")),
    handle: Nullable(PathSchema("URL for choosing the account's public handle.")),
    register: Nullable(PathSchema("URL for registering a bot.")),
    claim: Nullable(PathSchema("URL for claiming an existing bot for an account.")),
  }),
  versions: VersionsSchema,
  bot_endpoint: UrlSchema("URL of the bot socket."),
  play: Nullable(
    Type.Object({
      endpoint: UrlSchema("URL of the human match socket; ?opponent= selects the house bot."),
      opponents: Type.Array(OneOf(HOUSE_KINDS), { description: "Available house bots." }),
      page: PathSchema("URL of the page for human matches."),
    }),
  ),
  mcp: Nullable(UrlSchema("URL of the MCP endpoint.")),
  accounts: Nullable(
    Type.Object({
      project_url: UrlSchema("URL of the identity provider."),
      publishable_key: Type.String(),
    }),
  ),
  authentication_required: Type.Boolean({
    description: "Whether registering a bot requires a credential.",
  }),
  openapi: Nullable(UrlSchema("URL of the OpenAPI document.")),
  simulator: Type.Object({
    javascript: Nullable(PathSchema("URL of the simulator as a module.")),
    script: Nullable(PathSchema("URL of the simulator as a script.")),
    python: Nullable(PathSchema("URL of the simulator for Python.")),
    docs: Nullable(PathSchema("URL of the simulator guide.")),
  }),
  commands: Nullable(
    PathSchema(
      "URL of the author commands as an npm package, which changes with each release: npx <url> sim ...",
    ),
  ),
  bot_code: Nullable(PathSchema("URL of the list of starter bots.")),
  source: Nullable(UrlSchema("URL of the project's source.")),
  docs: PathSchema("URL of the list of documents and schemas."),
  guide: PathSchema("URL of the documentation pages."),
  llms: PathSchema("URL of the reading list for language models."),
  changelog: Nullable(
    Type.Object({ json: PathSchema("URL of the data."), page: PathSchema("URL of the page.") }),
  ),
  operational_policy: PolicySchema,
});
export type ApiIndex = Static<typeof ApiIndexSchema>;

export const ChangelogSchema = Type.Object({
  versions: VersionsSchema,
  markdown: Type.String({ description: "Newest release first, preceded by unreleased changes." }),
});

export const DocsIndexSchema = Type.Object({
  docs: Type.Array(Type.String(), {
    description: "Document names. Each document is at /docs/<name>.",
  }),
  schemas: Type.Array(Type.String(), {
    description: "Schema names. Each schema is at /docs/schema/<name>.json.",
  }),
});
