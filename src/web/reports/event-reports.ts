import { Type } from "typebox";

import { csvHead, csvRows } from "#base/util/csv.ts";
import type { CsvColumn } from "#base/util/csv.ts";
import { AwardRowSchema, EventStandingsSchema } from "#core/api/admin-reports.ts";
import type { AwardRow, EventStanding, EventStandings } from "#core/api/admin-reports.ts";
import { rankAccounts } from "#core/events/event-standings.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { credentials, operatorHooks } from "#web/admin/admin-route.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { setDownloadHeaders, TABLE_TYPES, tableResponse, tableFormat } from "./table-response.ts";

const params = Type.Object({ event: Type.String({ description: "id of the event" }) });
const querystring = Type.Object({ format: tableFormat });

export function eventReportRoutes(app: App, deps: ApiDeps): void {
  standingsRoute(app, deps);
  awardsRoute(app, deps);
}

function standingsRoute(app: App, deps: ApiDeps): void {
  const response = okResponses(Type.Unsafe<EventStandings | string>(EventStandingsSchema));
  const config = {
    endpoint: "admin_event_standings",
    summary: "Accounts in an event, and when they earned each achievement",
    credentials,
    types: TABLE_TYPES,
    errorCodes: [404] as const,
  };
  const options = { schema: { params, querystring, response }, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/standings";
  app.get(url, options, async ({ params: { event: id }, query }, reply) => {
    const event = deps.events.byId(id);
    if (event === null) return refuseNotFound(reply, "event");
    const standings = await standingsOf(deps, event);
    if (query.format !== "csv") return standings;
    setDownloadHeaders(reply, `${event.id}-standings`, "csv");
    const columns = standingColumns(event);
    return csvHead(columns) + csvRows(columns, standings.accounts);
  });
}

async function standingsOf(deps: ApiDeps, event: EventDefinition): Promise<EventStandings> {
  const { store } = deps;
  const [members, awards] = await Promise.all([
    store.members.list(event.ladderId),
    store.awards.listByEvent(event.id),
  ]);
  const membersById = new Map(members.map((member) => [member.accountId, member]));
  const entrants = members.flatMap(({ accountId, state }) => (state === "active" ? accountId : []));
  const ids = event.achievements.map(({ id }) => id);
  const ranked = rankAccounts(ids, entrants, awards);
  const handles = await readHandles(
    deps,
    ranked.map(({ accountId }) => accountId),
    new Map(members.map(({ accountId, handle }) => [accountId, handle])),
  );
  return {
    event: { id: event.id, name: event.name },
    achievements: event.achievements.map(({ id, name }) => ({ id, name })),
    accounts: ranked.map((row) => ({
      rank: row.rank,
      account_id: row.accountId,
      handle: handles.get(row.accountId) ?? null,
      membership: membersById.get(row.accountId)?.state ?? null,
      earned: row.earned,
      last_earned_at: row.lastEarnedAt,
      achievements: row.achievements.map(({ id, earnedAt, revokedAt }) => ({
        id,
        earned_at: earnedAt,
        revoked_at: revokedAt,
      })),
    })),
  };
}

type Handles = Map<AccountId, string | null>;

async function readHandles(
  { store }: ApiDeps,
  ids: readonly AccountId[],
  knownHandles: Handles = new Map(),
): Promise<Handles> {
  const handles = new Map(knownHandles);
  for (const id of ids)
    if (!handles.has(id)) handles.set(id, (await store.accounts.byId(id))?.handle ?? null);
  return handles;
}

const standingColumns = ({ achievements }: EventDefinition): CsvColumn<EventStanding>[] => [
  { title: "rank", value: ({ rank }) => rank },
  { title: "account_id", value: (row) => row.account_id },
  { title: "handle", value: ({ handle }) => handle },
  { title: "membership", value: ({ membership }) => membership },
  { title: "earned", value: ({ earned }) => earned },
  { title: "last_earned_at", value: (row) => row.last_earned_at },
  ...achievements.map(({ id }, index) => ({
    title: id,
    value: (row: EventStanding) => {
      const { earned_at = null, revoked_at = null } = row.achievements[index] ?? {};
      return revoked_at === null ? earned_at : "revoked";
    },
  })),
];

function awardsRoute(app: App, deps: ApiDeps): void {
  const response = okResponses(Type.Unsafe<AwardRow[] | string>(Type.Array(AwardRowSchema)));
  const config = {
    endpoint: "admin_event_awards",
    summary: "All awards in an event, including revoked ones, oldest first",
    credentials,
    types: TABLE_TYPES,
    errorCodes: [404] as const,
  };
  const options = { schema: { params, querystring, response }, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/awards";
  app.get(url, options, async ({ params: { event: id }, query }, reply) => {
    const event = deps.events.byId(id);
    if (event === null) return refuseNotFound(reply, "event");
    const rows = await awardRows(deps, event);
    return tableResponse(reply, query, {
      name: `${event.id}-awards`,
      columns: AWARD_COLUMNS,
      rows,
    });
  });
}

async function awardRows(deps: ApiDeps, event: EventDefinition): Promise<AwardRow[]> {
  const { store } = deps;
  const awards = await store.awards.listByEvent(event.id);
  const handles = await readHandles(
    deps,
    awards.map(({ accountId }) => accountId),
  );
  const bots = await store.bots.byIds([...new Set(awards.map(({ botId }) => botId))]);
  const botNames = new Map(bots.map(({ id, name }) => [id, name]));
  const names = new Map(event.achievements.map(({ id, name }) => [id, name]));
  return awards.map((award) => ({
    account_id: award.accountId,
    handle: handles.get(award.accountId) ?? null,
    achievement_id: award.achievementId,
    achievement: names.get(award.achievementId) ?? null,
    bot_id: award.botId,
    bot: botNames.get(award.botId) ?? null,
    match_id: award.evidence.at(-1) ?? null,
    earned_at: award.earnedAt,
    revoked_at: award.revokedAt,
    reason: award.revokedReason,
  }));
}

const AWARD_COLUMNS: readonly CsvColumn<AwardRow>[] = Object.keys(AwardRowSchema.properties).map(
  (title) => ({ title, value: (row) => row[title as keyof AwardRow] }),
);
