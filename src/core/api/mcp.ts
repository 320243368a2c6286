import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable } from "#core/protocol/schema-fight.ts";
import { MatchStatsSchema } from "#core/protocol/schema-stats.ts";

import { AccountBotSchema, AccountLadderSchema } from "./account.ts";
import { BotSchema, BotVersionSchema } from "./bot.ts";
import { CountSchema, IdSchema, UrlSchema } from "./common-schemas.ts";
import { MatchSchema } from "./match.ts";
import { StandingsRowSchema } from "./standings-page.ts";

/** Any tool may return this instead of its result. */
export const ToolRefusalSchema = Type.Object({
  error: Type.String({ description: "Text for display." }),
  code: Type.String({ description: "Error code, listed in the document errors." }),
});
export type ToolRefusal = Static<typeof ToolRefusalSchema>;

export const WhoamiSchema = Type.Object({
  account_id: IdSchema,
  handle: Nullable(Type.String({ description: "Null until the account's owner chooses one." })),
  admin: Type.Boolean(),
  max_bots: CountSchema,
  bot_count: Type.Integer({ minimum: 0, description: "All bots except retired ones." }),
  bots: Type.Array(Type.String(), {
    description: "Names of the account's bots, oldest first.",
  }),
  urls: Type.Object({
    account: UrlSchema("URL where the owner manages the account."),
    api: UrlSchema("Features of the ladder, and every limit."),
    docs: UrlSchema("Names of all documents."),
    bot_endpoint: UrlSchema("URL of the bot socket."),
  }),
});

export const OwnBotsSchema = Type.Object({
  bots: Type.Array(Type.Omit(AccountBotSchema, ["versions"]), { description: "Oldest first." }),
});

export const OwnLaddersSchema = Type.Object({ ladders: Type.Array(AccountLadderSchema) });

const markdown = Type.String({ description: "Document text in Markdown." });

/** A bot, excluding the notes on versions of other accounts. */
export const ToolBotSchema = Type.Object({
  ...BotSchema.properties,
  versions: Type.Array(
    Type.Object({
      ...BotVersionSchema.properties,
      notes: Type.Optional(
        Type.String({ description: "Present only for the account's own bots." }),
      ),
    }),
    { description: "Most recently created or played versions, oldest first." },
  ),
});
export type ToolBot = Static<typeof ToolBotSchema>;

export const AgentGuideSchema = Type.Object({
  topic: Type.String(),
  topics: Type.Array(Type.String(), { description: "All topics, in reading order." }),
  markdown,
});

export const DocumentSchema = Type.Object({ name: Type.String(), markdown });

export const LeaderboardRowsSchema = Type.Object({
  rows: Type.Array(StandingsRowSchema, { description: "Best first." }),
});

export const MatchListSchema = Type.Object({
  matches: Type.Array(MatchSchema, { description: "Newest first." }),
});

export const MatchWithStatsSchema = Type.Object({
  match: MatchSchema,
  stats: Nullable(MatchStatsSchema),
});

/** RFC 9728: tells an app how to get a token for the endpoint. */
export const ProtectedResourceSchema = Type.Object({
  resource: UrlSchema("URL of the MCP endpoint; tokens are valid only for it."),
  authorization_servers: Type.Array(UrlSchema("Issuer of tokens."), { minItems: 1 }),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
  resource_name: Type.String(),
  resource_documentation: UrlSchema("URL of a guide for people."),
});
