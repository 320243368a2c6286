import { BotName } from "#site/ui/bot-name.tsx";
import { EmptyState } from "#site/ui/empty-state.tsx";
import { ladderScope } from "#site/ui/links.ts";
import { botPath } from "#site/ui/links.ts";
import { Section } from "#site/ui/section.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";

import { botPartPath, partParameters } from "./bot-links.ts";
import type { BotData, BotOpponent } from "./data.ts";
import { RecordBar } from "./record-bar.tsx";
import { VersionDatalist } from "./version-datalist.tsx";

type OpponentsPanelProps = { data: Extract<BotData, { part: "opponents" }> };

export function OpponentsPanel({ data }: OpponentsPanelProps) {
  const { opponents, version } = data;
  return (
    <Section id="opponents" title="Opponents" note={opponentsNote(data)}>
      <VersionFilter data={data} />
      {opponents === null ? (
        <p class="empty">No such version.</p>
      ) : opponents.length === 0 ? (
        <EmptyState subject={version === null ? "bot's matches" : "found"} />
      ) : (
        <OpponentsTable data={data} opponents={opponents} />
      )}
    </Section>
  );
}

function opponentsNote({ version, opponents, total }: OpponentsPanelProps["data"]): string {
  if (version === null) return "From the latest matches, most recent first";
  const shownCount = opponents?.length ?? 0;
  const countText = shownCount < total ? `${shownCount} of ${total} opponents` : "Opponents";
  return `${countText} of one version, most frequent first`;
}

/** Only seasons store records per version. */
function VersionFilter({ data: { bot, scope, version, labels } }: OpponentsPanelProps) {
  if (scope.season === null) return null;
  return (
    <form class="bot-filters" action={botPath(bot.name)}>
      {partParameters(scope, "opponents").map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label>
        Version
        <input type="text" name="version" list="labels" value={version ?? ""} />
      </label>
      <VersionDatalist labels={labels} />
      <button class="button quiet" type="submit">
        Filter
      </button>
    </form>
  );
}

type OpponentsTableProps = OpponentsPanelProps & { opponents: readonly BotOpponent[] };

function OpponentsTable({ data, opponents }: OpponentsTableProps) {
  return (
    <table class="opponents">
      <thead>
        <tr>
          <th scope="col">Opponent</th>
          <th scope="col" class="number">
            Games
          </th>
          <th scope="col">
            <abbr title="Won–lost–drawn">W–L–D</abbr>
          </th>
          <th scope="col" class="number">
            Won
          </th>
          {data.version === null && (
            <th scope="col" class="number">
              Last match
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {opponents.map((record) => (
          <OpponentRow key={record.opponent.id} record={record} data={data} />
        ))}
      </tbody>
    </table>
  );
}

type OpponentRowProps = OpponentsPanelProps & { record: BotOpponent };

function OpponentRow({ record, data: { bot, scope, now, version } }: OpponentRowProps) {
  const { opponent, games, wins, losses, draws, win_rate, last_played } = record;
  const { name, display_name } = opponent;
  return (
    <tr>
      <th scope="row">
        <BotName {...opponent} displayName={display_name} scope={ladderScope(scope.ladder)} />
      </th>
      <td class="number">
        <a
          href={botPartPath(bot.name, scope, "matches", { opponent: name, version })}
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
          <TimeLabel instant={last_played} now={now} />
        </td>
      )}
    </tr>
  );
}
