import { sql } from "kysely";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { EmailSettings } from "#core/accounts/account.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import type { Database } from "#data/queries/tables.ts";
import type {
  BotResults,
  RecipientWithBots,
  RecipientRecord,
  RecipientPage,
} from "#data/store/delivery.ts";
import type { Repositories } from "#data/store/store.ts";

export const recipientQueries = (database: Database): Repositories["recipients"] => ({
  withPlayedBots: (days, page) => recipientsWithPlayedBots(database, days, page),
  onLadder: (ladderId, page) => recipientsOnLadder(database, ladderId, page),
  results: (botId, span) => botResults(database, botId, span),
  latestServerFault: (ladderIds, since) => latestServerFault(database, ladderIds, since),
});

const eligibleAccounts = (database: Database, { after: afterId, limit }: RecipientPage) =>
  database
    .selectFrom("accounts as a")
    .select(["a.id", "a.mail"])
    .where("a.id", ">", afterId ?? "")
    .where("a.banned_at", "is", null)
    .where("a.email", "is not", null)
    .where("a.email_confirmed_at", "is not", null)
    .orderBy("a.id")
    .limit(limit);

const toRecipient = ({ id, mail }: { id: string; mail: string }): RecipientRecord => ({
  accountId: id,
  mail: JSON.parse(mail) as EmailSettings,
});

async function recipientsWithPlayedBots(
  database: Database,
  days: readonly string[],
  page: RecipientPage,
): Promise<RecipientWithBots[]> {
  if (days.length === 0) return [];
  const dayList = sql.join(days);
  const hasPlayed = sql<boolean>`exists (select 1 from daily_bots as d where d.bot_id = b.id
    and d.day in (${dayList}) and d.ranked > 0)`;
  const accounts = await eligibleAccounts(database, page)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("bots as b")
          .select("b.id")
          .whereRef("b.owner_id", "=", "a.id")
          .where("b.house", "=", 0)
          .where(hasPlayed),
      ),
    )
    .execute();
  if (accounts.length === 0) return [];
  const bots = await database
    .selectFrom("bots as b")
    .select(["b.id", "b.name", "b.owner_id"])
    .where(
      "b.owner_id",
      "in",
      accounts.map(({ id }) => id),
    )
    .where(hasPlayed)
    .orderBy("b.created")
    .orderBy("b.id")
    .execute();
  const byOwner = Map.groupBy(bots, (bot) => bot.owner_id);
  return accounts.map((account) => ({
    ...toRecipient(account),
    bots: (byOwner.get(account.id) ?? []).map(({ id, name }) => ({ id, name })),
  }));
}

async function recipientsOnLadder(
  database: Database,
  ladderId: LadderId,
  page: RecipientPage,
): Promise<RecipientRecord[]> {
  const memberCondition = hasSeasons(ladderId)
    ? sql<boolean>`exists (select 1 from bots as b
        join version_activity as v on v.bot_id = b.id and v.ladder_id = ${ladderId}
        where b.owner_id = a.id and b.house = 0)`
    : sql<boolean>`exists (select 1 from ladder_members as l where l.account_id = a.id
        and l.ladder_id = ${ladderId} and l.state = 'active' and l.until is null)`;
  return (await eligibleAccounts(database, page).where(memberCondition).execute()).map(toRecipient);
}

async function botResults(
  database: Database,
  botId: BotId,
  { from, until }: { from: string; until: string },
): Promise<BotResults> {
  const { rows } = await sql<Omit<BotResults, "losses">>`
    select cast(count(*) as integer) as games,
      cast(coalesce(sum(case when m.winner_seat = s.seat then 1 else 0 end), 0) as integer) as wins,
      cast(coalesce(sum(case when m.winner_seat is null then 1 else 0 end), 0) as integer) as draws
    from seats as s join matches as m on m.id = s.match_id
    where s.bot_id = ${botId} and s.mode = 'ranked' and s.rating_after is not null
      and s.ladder_id in (select v.ladder_id from version_activity as v where v.bot_id = ${botId})
      and s.ended >= ${from} and s.ended < ${until}`.execute(database);
  const { games, wins, draws } = assertDefined(rows[0], "row");
  return { games, wins, draws, losses: games - wins - draws };
}

async function latestServerFault(
  database: Database,
  ladderIds: readonly LadderId[],
  since: string,
): Promise<{ id: string; ended: string } | null> {
  let latest: { id: string; ended: string } | null = null;
  for (const ladderId of ladderIds) {
    const { rows } = await sql<{ id: string; ended: string }>`select id, ended from matches
      where ladder_id = ${ladderId} and mode = 'ranked' and ended > ${since}
        and unrated_reason = 'server_fault'
      order by ended desc, id desc limit 1`.execute(database);
    const [latestOnLadder] = rows;
    if (latestOnLadder !== undefined && latestOnLadder.ended > (latest?.ended ?? ""))
      latest = latestOnLadder;
  }
  return latest;
}
