// Who has earned what in an event, as a table and as a list of awards.

import { Type } from "typebox";

import { csvHead, csvRows } from "#base/units/csv.ts";
import type { CsvColumn } from "#base/units/csv.ts";
import { rankAccounts } from "#core/events/event-standings.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { AwardRowSchema, EventStandingsSchema } from "#core/operator/report.ts";
import type { AwardRow, EventStanding, EventStandings } from "#core/operator/report.ts";
import type { AccountId } from "#core/words/ids.ts";
import { credentials, operatorHooks } from "#web/admin/operator.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { asFile, TABLE_TYPES, tableAnswer, tableFormat } from "./table-answer.ts";

const params = Type.Object({ event: Type.String({ description: "id of the event" }) });
const querystring = Type.Object({ format: tableFormat });

export function eventReportRoutes(app: App, deps: ApiDeps): void {
  standingsRoute(app, deps);
  awardsRoute(app, deps);
}

function standingsRoute(app: App, deps: ApiDeps): void {
  const response = answers(Type.Unsafe<EventStandings | string>(EventStandingsSchema));
  const config = {
    endpoint: "admin_event_standings",
    about: "Accounts of an event and when they earned each achievement",
    credentials,
    types: TABLE_TYPES,
    refuses: [404] as const,
  };
  const options = { schema: { params, querystring, response }, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/standings";
  app.get(url, options, async ({ params: { event: id }, query }, reply) => {
    const event = deps.events.byId(id);
    if (event === null) return missing(reply, "event");
    const standings = await standingsOf(deps, event);
    if (query.format !== "csv") return standings;
    asFile(reply, `${event.id}-standings`, "csv");
    const columns = standingColumns(event);
    return csvHead(columns) + csvRows(columns, standings.accounts);
  });
}

async function standingsOf(deps: ApiDeps, event: EventDefinition): Promise<EventStandings> {
  const { store } = deps;
  const [members, awards] = await Promise.all([
    store.members.of(event.ladderId),
    store.awards.ofEvent(event.id),
  ]);
  const present = new Map(members.map((member) => [member.accountId, member]));
  const entrants = members.flatMap(({ accountId, state }) => (state === "active" ? accountId : []));
  const ids = event.achievements.map(({ id }) => id);
  const ranked = rankAccounts(ids, entrants, awards);
  const handles = await handlesOf(
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
      membership: present.get(row.accountId)?.state ?? null,
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

/** Reads the handles that are not known yet. */
async function handlesOf(
  { store }: ApiDeps,
  ids: readonly AccountId[],
  known: Handles = new Map(),
): Promise<Handles> {
  const handles = new Map(known);
  for (const id of ids)
    if (!handles.has(id)) handles.set(id, (await store.accounts.byId(id))?.handle ?? null);
  return handles;
}

const standingColumns = ({ achievements }: EventDefinition): CsvColumn<EventStanding>[] => [
  { title: "rank", of: ({ rank }) => rank },
  { title: "account_id", of: (row) => row.account_id },
  { title: "handle", of: ({ handle }) => handle },
  { title: "membership", of: ({ membership }) => membership },
  { title: "earned", of: ({ earned }) => earned },
  { title: "last_earned_at", of: (row) => row.last_earned_at },
  ...achievements.map(({ id }, at) => ({
    title: id,
    of: (row: EventStanding) => {
      const { earned_at = null, revoked_at = null } = row.achievements[at] ?? {};
      return revoked_at === null ? earned_at : "revoked";
    },
  })),
];

function awardsRoute(app: App, deps: ApiDeps): void {
  const response = answers(Type.Unsafe<AwardRow[] | string>(Type.Array(AwardRowSchema)));
  const config = {
    endpoint: "admin_event_awards",
    about: "All awards of an event, revoked ones too, oldest first",
    credentials,
    types: TABLE_TYPES,
    refuses: [404] as const,
  };
  const options = { schema: { params, querystring, response }, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/awards";
  app.get(url, options, async ({ params: { event: id }, query }, reply) => {
    const event = deps.events.byId(id);
    if (event === null) return missing(reply, "event");
    const rows = await awardRows(deps, event);
    return tableAnswer(reply, query, { name: `${event.id}-awards`, columns: AWARD_COLUMNS, rows });
  });
}

async function awardRows(deps: ApiDeps, event: EventDefinition): Promise<AwardRow[]> {
  const { store } = deps;
  const awards = await store.awards.ofEvent(event.id);
  const handles = await handlesOf(
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
  (title) => ({ title, of: (row) => row[title as keyof AwardRow] }),
);
