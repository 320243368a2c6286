import { BotName } from "#site/look/bot-name.tsx";
import { Empty } from "#site/look/empty.tsx";
import { ladderScope } from "#site/look/links.ts";
import { botPath } from "#site/look/links.ts";
import { Section } from "#site/look/parts.tsx";
import { When } from "#site/look/when.tsx";

import { partPath, partValues } from "./bot-links.ts";
import type { BotData, MetOpponent } from "./data.ts";
import { Labels } from "./labels.tsx";
import { RecordBar } from "./record-bar.tsx";

type OpponentsPartProps = { data: Extract<BotData, { part: "opponents" }> };

/** Whom the bot met last, or one of its versions most, and how that went. */
export function OpponentsPart({ data }: OpponentsPartProps) {
  const { opponents, version } = data;
  return (
    <Section id="opponents" title="Opponents" note={noteOf(data)}>
      <VersionFilter data={data} />
      {opponents === null ? (
        <p class="empty">There is no such version.</p>
      ) : opponents.length === 0 ? (
        <Empty of={version === null ? "bot's matches" : "found"} />
      ) : (
        <Table data={data} opponents={opponents} />
      )}
    </Section>
  );
}

function noteOf({ version, opponents, total }: OpponentsPartProps["data"]): string {
  if (version === null) return "Those of its newest matches, the one that was met last first";
  const shown = opponents?.length ?? 0;
  const whose = shown < total ? `${shown} of the ${total}` : "Those";
  return `${whose} of one version, the one that was met most first`;
}

/** Only seasons count the games of each version against each opponent. */
function VersionFilter({ data: { bot, scope, version, labels } }: OpponentsPartProps) {
  if (scope.season === null) return null;
  return (
    <form class="bot-filters" action={botPath(bot.name)}>
      {partValues(scope, "opponents").map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label>
        Version
        <input type="text" name="version" list="labels" value={version ?? ""} />
      </label>
      <Labels labels={labels} />
      <button class="button quiet" type="submit">
        Filter
      </button>
    </form>
  );
}

type TableProps = OpponentsPartProps & { opponents: readonly MetOpponent[] };

function Table({ data, opponents }: TableProps) {
  return (
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
          {data.version === null && (
            <th scope="col" class="number">
              Last met
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {opponents.map((record) => (
          <Opponent key={record.opponent.id} record={record} data={data} />
        ))}
      </tbody>
    </table>
  );
}

type OpponentProps = OpponentsPartProps & { record: MetOpponent };

function Opponent({ record, data: { bot, scope, now, version } }: OpponentProps) {
  const { opponent, games, wins, losses, draws, win_rate, last_played } = record;
  const { name, display_name } = opponent;
  return (
    <tr>
      <th scope="row">
        <BotName {...opponent} display={display_name} scope={ladderScope(scope.ladder)} />
      </th>
      <td class="number">
        <a
          href={partPath(bot.name, scope, "matches", { opponent: name, version })}
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
      {last_played !== null && (
        <td class="number">
          <When instant={last_played} now={now} />
        </td>
      )}
    </tr>
  );
}
