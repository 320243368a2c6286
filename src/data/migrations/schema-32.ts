import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/**
 * Adds daily totals, which don't decrease when data is deleted. Backfilled from all stored data.
 */
export const SCHEMA_32: Migration = {
  number: 32,
  name: "days",
  statements: (types) => [...dailyTables(types), ...BACKFILL],
};

function dailyTables({ text, whole, keyed, heap }: ColumnTypes): string[] {
  return [
    `create table daily_figures (
      day ${text} primary key,
      users ${whole} not null,
      bots ${whole} not null,
      versions ${whole} not null,
      ranked ${whole} not null,
      other ${whole} not null,
      voided ${whole} not null
    ) ${heap}`,
    `create table daily_bots (
      day ${text} not null,
      bot_id ${text} not null,
      ranked ${whole} not null,
      other ${whole} not null,
      voided ${whole} not null,
      primary key (day, bot_id)
    ) ${keyed}`,
    `create table daily_maps (
      day ${text} not null,
      map ${text} not null,
      games ${whole} not null,
      primary key (day, map)
    ) ${keyed}`,
  ];
}

const RANKED = "case when m.mode = 'ranked' and m.voided = 0 then 1 else 0 end";
const OTHER = "case when m.mode <> 'ranked' and m.voided = 0 then 1 else 0 end";

const BACKFILL = [
  `insert into daily_figures (day, users, bots, versions, ranked, other, voided)
    select day, sum(users), sum(bots), sum(versions), sum(ranked), sum(other), sum(voided) from (
      select substr(created, 1, 10) as day, 1 as users, 0 as bots, 0 as versions, 0 as ranked,
        0 as other, 0 as voided from accounts
      union all select substr(created, 1, 10), 0, 1, 0, 0, 0, 0 from bots where house = 0
      union all select substr(v.created, 1, 10), 0, 0, 1, 0, 0, 0
        from versions as v join bots as b on b.id = v.bot_id where b.house = 0
      union all select substr(m.ended, 1, 10), 0, 0, 0, ${RANKED}, ${OTHER}, m.voided
        from matches as m
    ) as facts group by day`,
  `insert into daily_bots (day, bot_id, ranked, other, voided)
    select substr(m.ended, 1, 10), s.bot_id, sum(${RANKED}), sum(${OTHER}), sum(m.voided)
    from (select distinct match_id, bot_id from seats where bot_id is not null) as s
    join matches as m on m.id = s.match_id
    group by substr(m.ended, 1, 10), s.bot_id`,
  `insert into daily_maps (day, map, games)
    select substr(ended, 1, 10), map, count(*) from matches where voided = 0
    group by substr(ended, 1, 10), map`,
];
