// Schemas of the HTTP API, published at /docs/schema/<name>.json.

import type { TSchema } from "typebox";

import {
  AccountExportSchema,
  AccountLadderSchema,
  StarredMatchesSchema,
  AccountSchema,
  AuditEntrySchema,
  NewKeySchema,
} from "./account.ts";
import {
  AdminLadderSchema,
  LadderDetailSchema,
  MembersSchema,
  NewInvitationSchema,
} from "./admin-ladder.ts";
import { AdminAccountSchema, AdminAccountsSchema, OverviewSchema } from "./admin.ts";
import { AdminAnnouncementSchema, AnnouncementSchema } from "./announcement.ts";
import { ApiIndexSchema, ChangelogSchema, DocsIndexSchema, VersionsSchema } from "./api-index.ts";
import {
  ComparisonSchema,
  BotStyleSchema,
  LossesSchema,
  MapRecordSchema,
  OpponentRecordSchema,
} from "./bot-record.ts";
import {
  BotSchema,
  BotVersionSchema,
  DeletedBotSchema,
  MyBotSchema,
  RatingHistorySchema,
  RegisteredBotSchema,
  VersionSchema,
} from "./bot.ts";
import { ErrorBodySchema } from "./common-schemas.ts";
import { ConfigSchema } from "./config-file.ts";
import { DownloadsSchema } from "./download.ts";
import {
  AdminEventProgressSchema,
  AdminEventSchema,
  EventDefinitionSchema,
  EventProgressSchema,
  ReconciliationSchema,
  RevealedSchema,
} from "./event.ts";
import { LadderResultsSchema, LadderSchema } from "./ladder-results.ts";
import { LeaderboardRowSchema, LobbyEntrySchema, StatusSchema } from "./ladder.ts";
import { ListedMatchSchema, MatchSchema } from "./match.ts";
import { ProtectedResourceSchema } from "./mcp.ts";
import { PracticeSchema } from "./practice.ts";
import { SearchSchema } from "./search.ts";
import { SeasonMatchupsSchema, SeasonResultsSchema, SeasonSchema } from "./season.ts";
import { StandingsPageSchema } from "./standings-page.ts";
import { UserSchema } from "./user.ts";

export const RESOURCE_SCHEMAS: Record<string, TSchema> = {
  account: AccountSchema,
  "account-export": AccountExportSchema,
  "account-ladder": AccountLadderSchema,
  "starred-matches": StarredMatchesSchema,
  "admin-account": AdminAccountSchema,
  "admin-accounts": AdminAccountsSchema,
  "admin-announcement": AdminAnnouncementSchema,
  "admin-ladder": AdminLadderSchema,
  "admin-overview": OverviewSchema,
  "agent-key": NewKeySchema,
  announcement: AnnouncementSchema,
  "api-error": ErrorBodySchema,
  "api-index": ApiIndexSchema,
  bot: BotSchema,
  "audit-entry": AuditEntrySchema,
  "bot-version": BotVersionSchema,
  changelog: ChangelogSchema,
  comparison: ComparisonSchema,
  config: ConfigSchema,
  "deleted-bot": DeletedBotSchema,
  "docs-index": DocsIndexSchema,
  downloads: DownloadsSchema,
  "admin-event": AdminEventSchema,
  "admin-event-progress": AdminEventProgressSchema,
  "event-definition": EventDefinitionSchema,
  "event-progress": EventProgressSchema,
  reconciliation: ReconciliationSchema,
  revealed: RevealedSchema,
  invitation: NewInvitationSchema,
  ladder: LadderSchema,
  "ladder-detail": LadderDetailSchema,
  "ladder-members": MembersSchema,
  "ladder-results": LadderResultsSchema,
  "leaderboard-row": LeaderboardRowSchema,
  "listed-match": ListedMatchSchema,
  "lobby-entry": LobbyEntrySchema,
  "bot-style": BotStyleSchema,
  losses: LossesSchema,
  "map-record": MapRecordSchema,
  match: MatchSchema,
  "my-bot": MyBotSchema,
  "opponent-record": OpponentRecordSchema,
  "protected-resource": ProtectedResourceSchema,
  practice: PracticeSchema,
  "rating-history": RatingHistorySchema,
  "registered-bot": RegisteredBotSchema,
  search: SearchSchema,
  season: SeasonSchema,
  "season-matchups": SeasonMatchupsSchema,
  "season-results": SeasonResultsSchema,
  "standings-page": StandingsPageSchema,
  status: StatusSchema,
  user: UserSchema,
  version: VersionSchema,
  versions: VersionsSchema,
};
