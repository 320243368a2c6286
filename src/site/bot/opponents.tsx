import type { OpponentRecord } from "#core/resources/bot-record.ts";
import { BotName } from "#site/look/bot-name.tsx";
import { Empty } from "#site/look/empty.tsx";
import { Section } from "#site/look/parts.tsx";
import { When } from "#site/look/when.tsx";

import { partPath } from "./bot-links.ts";
import type { BotData } from "./data.ts";
import { RecordBar } from "./record-bar.tsx";

type OpponentsPartProps = { data: Extract<BotData, { part: "opponents" }> };

/** Whom the bot met last, and how that went. */
export function OpponentsPart({ data }: OpponentsPartProps) {
  const { opponents } = data;
  return (
    <Section
      id="opponents"
      title="Opponents"
      note="Those of its newest matches, the one that was met last first"
    >
      {opponents.length === 0 ? (
        <Empty of="bot's matches" />
      ) : (
        <table class="opponents">
          <thead>
            <tr>
              <th scope="col">Opponent</th>
              <th scope="col" class="number">
                Games
              </th>
              <th scope="col">
                <abbr title="Won, lost, drawn">W–L–D</abbr>
              </th>
              <th scope="col" class="number">
                Won
              </th>
              <th scope="col" class="number">
                Last met
              </th>
            </tr>
          </thead>
          <tbody>
            {opponents.map((record) => (
              <Opponent key={record.opponent.id} record={record} data={data} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

type OpponentProps = OpponentsPartProps & { record: OpponentRecord };

function Opponent({ record, data: { bot, scope, now } }: OpponentProps) {
  const { opponent, games, wins, losses, draws, win_rate, last_played } = record;
  const { name, display_name } = opponent;
  return (
    <tr>
      <th scope="row">
        <BotName {...opponent} display={display_name} />
      </th>
      <td class="number">
        <a
          href={partPath(bot.name, scope, "matches", { opponent: name })}
          aria-label={`${games} games against ${display_name}`}
        >
          {games}
        </a>
      </td>
      <td class="opponent-record">
        <RecordBar {...{ wins, losses, draws }} />
        <span class="sub">
          {wins}–{losses}–{draws}
        </span>
      </td>
      <td class="number">{Math.round(win_rate)} %</td>
      <td class="number">
        <When instant={last_played} now={now} />
      </td>
    </tr>
  );
}
