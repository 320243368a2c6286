// Members and standings of a ladder, to read and to export.

import { Type } from "typebox";

import type { CsvColumn } from "#base/units/csv.ts";
import { MemberRowSchema } from "#core/operator/report.ts";
import type { MemberRow } from "#core/operator/report.ts";
import { LeaderboardRowSchema } from "#core/resources/ladder.ts";
import type { LeaderboardRow } from "#core/resources/ladder.ts";
import { credentials, operatorHooks } from "#web/admin/operator.ts";
import { boardRows } from "#web/api/leaderboard-rows.ts";
import type { Standings } from "#web/api/leaderboard-rows.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { TABLE_TYPES, tableAnswer, tableFormat } from "./table-answer.ts";

const params = Type.Object({ id: Type.String({ description: "id of the ladder" }) });
const querystring = Type.Object({ format: tableFormat });
const shared = { credentials, types: TABLE_TYPES, refuses: [404] as const };

export function ladderReportRoutes(app: App, deps: ApiDeps & { standings: Standings }): void {
  membersRoute(app, deps);
  standingsRoute(app, deps);
}

function membersRoute(app: App, deps: ApiDeps): void {
  const response = answers(Type.Unsafe<MemberRow[] | string>(Type.Array(MemberRowSchema)));
  const about = "Members of a ladder, pending and revoked ones too, by age";
  const config = { endpoint: "admin_ladder_members", about, ...shared };
  const options = { schema: { params, querystring, response }, config, ...operatorHooks(deps) };
  app.get("/api/admin/ladders/:id/members", options, async ({ params: { id }, query }, reply) => {
    if (deps.ladders.byId(id) === null) return missing(reply, "ladder");
    const rows = (await deps.store.members.of(id)).map((row) => ({
      account_id: row.accountId,
      handle: row.handle,
      membership: row.state,
      since: row.since,
      reason: row.reason,
    }));
    return tableAnswer(reply, query, { name: `${id}-members`, columns: MEMBER_COLUMNS, rows });
  });
}

const MEMBER_COLUMNS: readonly CsvColumn<MemberRow>[] = Object.keys(MemberRowSchema.properties).map(
  (title) => ({ title, of: (row) => row[title as keyof MemberRow] }),
);

function standingsRoute(app: App, deps: ApiDeps & { standings: Standings }): void {
  const response = answers(
    Type.Unsafe<LeaderboardRow[] | string>(Type.Array(LeaderboardRowSchema)),
  );
  const about = "Standings of a ladder, best first; also of one that is not listed";
  const config = { endpoint: "admin_ladder_standings", about, ...shared };
  const options = { schema: { params, querystring, response }, config, ...operatorHooks(deps) };
  app.get("/api/admin/ladders/:id/standings", options, async ({ params: { id }, query }, reply) => {
    if (deps.ladders.byId(id) === null) return missing(reply, "ladder");
    const places = boardRows(await deps.standings(id), deps.arena.onlineIds());
    const rows = places.map(({ row }) => row);
    return tableAnswer(reply, query, { name: `${id}-standings`, columns: BOARD_COLUMNS, rows });
  });
}

const BOARD_COLUMNS: readonly CsvColumn<LeaderboardRow>[] = Object.keys(
  LeaderboardRowSchema.properties,
).map((title) => ({ title, of: (row) => row[title as keyof LeaderboardRow] }));
