import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/**
 * Updates all-time results with each match on ladders with seasons: results between pairs of
 * players' bots, and results by map. Archiving a season then doesn't rewrite its matches, and no
 * read sums over seasons. Replaces the totals over archived seasons of schema 26.
 */
export const SCHEMA_35: Migration = {
  number: 35,
  name: "sums over all seasons, the audit of a bot",
  statements: (types) => [
    resultTable(types, "ever_rivals", "opponent_id", `shared ${types.whole} not null,`),
    `insert into ever_rivals (${resultColumns("opponent_id")}, shared)
      select ladder_id, bot_id, opponent_id, ${SUMS},
        sum(draws) + 2 * (case when sum(wins) < sum(losses) then sum(wins) else sum(losses) end)
      from bot_opponents where shared is not null and season <> ''
      group by ladder_id, bot_id, opponent_id`,
    `create index ever_rivalries on ever_rivals
      (ladder_id, shared desc, (wins + draws + losses) desc, bot_id, opponent_id)
      where shared > 0 and wins + draws + losses <= 2 * shared`,
    resultTable(types, "ever_maps", "map"),
    `insert into ever_maps (${resultColumns("map")})
      select ladder_id, bot_id, map, ${SUMS} from bot_maps where season <> ''
      group by ladder_id, bot_id, map`,
    "drop table past_rivals",
    "drop table past_maps",
    "create index audit_by_key on audit (actor_id, at) where actor_kind = 'agent_key'",
    "create index audit_of_bot on audit (subject_id, at) where subject_kind = 'bot'",
  ],
};

const SUMS = "sum(wins), sum(draws), sum(losses)";

const resultColumns = (keyColumn: string): string =>
  `ladder_id, bot_id, ${keyColumn}, wins, draws, losses`;

const resultTable = (
  { text, whole, keyed }: ColumnTypes,
  name: string,
  keyColumn: string,
  extraColumns = "",
) =>
  `create table ${name} (
    ladder_id ${text} not null,
    bot_id ${text} not null,
    ${keyColumn} ${text} not null,
    wins ${whole} not null,
    draws ${whole} not null,
    losses ${whole} not null,
    ${extraColumns}
    primary key (ladder_id, bot_id, ${keyColumn})
  ) ${keyed}`;
