import { Type } from "typebox";

import type { CsvColumn } from "#base/util/csv.ts";
import { MemberRowSchema } from "#core/api/admin-reports.ts";
import type { MemberRow } from "#core/api/admin-reports.ts";
import { LeaderboardRowSchema } from "#core/api/ladder.ts";
import type { LeaderboardRow } from "#core/api/ladder.ts";
import { credentials, operatorHooks } from "#web/admin/admin-route.ts";
import { boardRows } from "#web/api/standings-entries.ts";
import type { Standings } from "#web/api/standings-entries.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { TABLE_TYPES, tableResponse, tableFormat } from "./table-response.ts";

const params = Type.Object({ id: Type.String({ description: "id of the ladder" }) });
const querystring = Type.Object({ format: tableFormat });
const sharedConfig = { credentials, types: TABLE_TYPES, errorCodes: [404] as const };

export function ladderReportRoutes(app: App, deps: ApiDeps & { standings: Standings }): void {
  membersRoute(app, deps);
  standingsRoute(app, deps);
}

function membersRoute(app: App, deps: ApiDeps): void {
  const response = okResponses(Type.Unsafe<MemberRow[] | string>(Type.Array(MemberRowSchema)));
  const summary = "Members of a ladder, including pending and revoked ones, by age";
  const config = { endpoint: "admin_ladder_members", summary: summary, ...sharedConfig };
  const options = { schema: { params, querystring, response }, config, ...operatorHooks(deps) };
  app.get("/api/admin/ladders/:id/members", options, async ({ params: { id }, query }, reply) => {
    if (deps.ladders.byId(id) === null) return refuseNotFound(reply, "ladder");
    const rows = (await deps.store.members.list(id)).map((row) => ({
      account_id: row.accountId,
      handle: row.handle,
      membership: row.state,
      since: row.since,
      reason: row.reason,
    }));
    return tableResponse(reply, query, { name: `${id}-members`, columns: MEMBER_COLUMNS, rows });
  });
}

const MEMBER_COLUMNS: readonly CsvColumn<MemberRow>[] = Object.keys(MemberRowSchema.properties).map(
  (title) => ({ title, value: (row) => row[title as keyof MemberRow] }),
);

function standingsRoute(app: App, deps: ApiDeps & { standings: Standings }): void {
  const response = okResponses(
    Type.Unsafe<LeaderboardRow[] | string>(Type.Array(LeaderboardRowSchema)),
  );
  const summary = "Standings of a ladder, which may be hidden, best first";
  const config = { endpoint: "admin_ladder_standings", summary: summary, ...sharedConfig };
  const options = { schema: { params, querystring, response }, config, ...operatorHooks(deps) };
  app.get("/api/admin/ladders/:id/standings", options, async ({ params: { id }, query }, reply) => {
    if (deps.ladders.byId(id) === null) return refuseNotFound(reply, "ladder");
    const places = boardRows(await deps.standings(id), deps.arena.onlineIds());
    const rows = places.map(({ row }) => row);
    return tableResponse(reply, query, { name: `${id}-standings`, columns: BOARD_COLUMNS, rows });
  });
}

const BOARD_COLUMNS: readonly CsvColumn<LeaderboardRow>[] = Object.keys(
  LeaderboardRowSchema.properties,
).map((title) => ({ title, value: (row) => row[title as keyof LeaderboardRow] }));
