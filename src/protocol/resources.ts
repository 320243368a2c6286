// Everything published at /docs/schema/<name>.json that belongs to the HTTP API.

import type { TSchema } from "typebox";

import { ApiIndexSchema, DocsIndexSchema, VersionsSchema } from "./resource-api.ts";
import { BotSchema, MyBotSchema, RegisteredBotSchema, VersionSchema } from "./resource-bot.ts";
import { ErrorBodySchema } from "./resource-common.ts";
import { LeaderboardRowSchema, LobbyEntrySchema, StatusSchema } from "./resource-ladder.ts";
import { ListedMatchSchema, MatchSchema } from "./resource-match.ts";

export const RESOURCE_SCHEMAS: Record<string, TSchema> = {
  "api-error": ErrorBodySchema,
  "api-index": ApiIndexSchema,
  bot: BotSchema,
  "docs-index": DocsIndexSchema,
  "leaderboard-row": LeaderboardRowSchema,
  "listed-match": ListedMatchSchema,
  "lobby-entry": LobbyEntrySchema,
  match: MatchSchema,
  "my-bot": MyBotSchema,
  "registered-bot": RegisteredBotSchema,
  status: StatusSchema,
  version: VersionSchema,
  versions: VersionsSchema,
};
