// What the tools of the MCP endpoint answer, and the document about the endpoint.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable } from "#core/protocol/schema-fight.ts";
import { MatchStatsSchema } from "#core/protocol/schema-stats.ts";

import { AccountBotSchema, AccountLadderSchema } from "./account.ts";
import { BotSchema, BotVersionSchema } from "./bot.ts";
import { Count, Id, Link } from "./common.ts";
import { MatchSchema } from "./match.ts";
import { StandingsRowSchema } from "./standings.ts";

/** Any tool may answer this instead of its result. */
export const ToolRefusalSchema = Type.Object({
  error: Type.String({ description: "for people" }),
  code: Type.String({ description: "see the document errors" }),
});
export type ToolRefusal = Static<typeof ToolRefusalSchema>;

export const WhoamiSchema = Type.Object({
  account_id: Id,
  handle: Nullable(Type.String({ description: "null until the account's owner chose one" })),
  admin: Type.Boolean(),
  max_bots: Count,
  bot_count: Type.Integer({ minimum: 0, description: "all bots but the retired" }),
  bots: Type.Array(Type.String(), { description: "their names, oldest bot first" }),
  urls: Type.Object({
    account: Link("where its owner manages the account"),
    api: Link("what the ladder serves, and every limit"),
    docs: Link("names of all documents"),
    bot_endpoint: Link("where bots connect"),
  }),
});

export const OwnBotsSchema = Type.Object({
  bots: Type.Array(Type.Omit(AccountBotSchema, ["versions"]), { description: "oldest first" }),
});

export const OwnLaddersSchema = Type.Object({ ladders: Type.Array(AccountLadderSchema) });

const markdown = Type.String({ description: "the document" });

/** A bot without the notes on versions of other accounts. */
export const ToolBotSchema = Type.Object({
  ...BotSchema.properties,
  versions: Type.Array(
    Type.Object({
      ...BotVersionSchema.properties,
      notes: Type.Optional(Type.String({ description: "only for the account's own bots" })),
    }),
    { description: "those made or played last, oldest first" },
  ),
});
export type ToolBot = Static<typeof ToolBotSchema>;

export const AgentGuideSchema = Type.Object({
  topic: Type.String(),
  topics: Type.Array(Type.String(), { description: "all topics, in reading order" }),
  markdown,
});

export const DocumentSchema = Type.Object({ name: Type.String(), markdown });

export const BoardRowsSchema = Type.Object({
  rows: Type.Array(StandingsRowSchema, { description: "best first" }),
});

export const MatchListSchema = Type.Object({
  matches: Type.Array(MatchSchema, { description: "newest first" }),
});

export const MatchWithStatsSchema = Type.Object({
  match: MatchSchema,
  stats: Nullable(MatchStatsSchema),
});

/** RFC 9728: how a program gets a token for the endpoint. */
export const ProtectedResourceSchema = Type.Object({
  resource: Link("the MCP endpoint: tokens are for it alone"),
  authorization_servers: Type.Array(Link("an issuer"), { minItems: 1 }),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
  resource_name: Type.String(),
  resource_documentation: Link("a guide for people"),
});
