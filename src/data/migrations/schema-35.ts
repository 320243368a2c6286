import type { ColumnTypes, Migration } from "#data/queries/backend.ts";

/**
 * What was ever played on a ladder with seasons is counted with each match: pairs of players' bots,
 * and results by map. So to archive a season writes nothing of its matches, and nobody adds up
 * seasons. They replace the sums over archived seasons of schema 26.
 */
export const EVER: Migration = {
  number: 35,
  name: "sums over all seasons, the audit of a bot",
  statements: (types) => [
    tableOf(types, "ever_rivals", "opponent_id", `shared ${types.whole} not null,`),
    `insert into ever_rivals (${columnsBy("opponent_id")}, shared)
      select ladder_id, bot_id, opponent_id, ${SUMS},
        sum(draws) + 2 * (case when sum(wins) < sum(losses) then sum(wins) else sum(losses) end)
      from bot_opponents where shared is not null and season <> ''
      group by ladder_id, bot_id, opponent_id`,
    `create index ever_rivalries on ever_rivals
      (ladder_id, shared desc, (wins + draws + losses) desc, bot_id, opponent_id)
      where shared > 0 and wins + draws + losses <= 2 * shared`,
    tableOf(types, "ever_maps", "map"),
    `insert into ever_maps (${columnsBy("map")})
      select ladder_id, bot_id, map, ${SUMS} from bot_maps where season <> ''
      group by ladder_id, bot_id, map`,
    "drop table past_rivals",
    "drop table past_maps",
    "create index audit_by_key on audit (actor_id, at) where actor_kind = 'agent_key'",
    "create index audit_of_bot on audit (subject_id, at) where subject_kind = 'bot'",
  ],
};

const SUMS = "sum(wins), sum(draws), sum(losses)";

const columnsBy = (by: string): string => `ladder_id, bot_id, ${by}, wins, draws, losses`;

const tableOf = ({ text, whole, keyed }: ColumnTypes, name: string, by: string, more = "") =>
  `create table ${name} (
    ladder_id ${text} not null,
    bot_id ${text} not null,
    ${by} ${text} not null,
    wins ${whole} not null,
    draws ${whole} not null,
    losses ${whole} not null,
    ${more}
    primary key (ladder_id, bot_id, ${by})
  ) ${keyed}`;
