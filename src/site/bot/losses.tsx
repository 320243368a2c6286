import type { Losses } from "#core/resources/bot-record.ts";
import { botPath } from "#site/look/links.ts";
import { MapPicture } from "#site/look/map-picture.tsx";
import { Bar, Section } from "#site/look/parts.tsx";
import { SOURCE_WORDS } from "#site/viewer/words.ts";

import { partPath, partValues } from "./bot-links.ts";
import type { BotData } from "./data.ts";
import { Labels } from "./labels.tsx";
import { lossFindings } from "./loss-words.ts";

type LossesPartProps = { data: Extract<BotData, { part: "losses" }> };

/** Sums over the lost games of one version: what an author asks after an evening of games. */
export function LossesPart({ data }: LossesPartProps) {
  const { bot, scope, version, losses, labels } = data;
  return (
    <>
      <Section id="losses" title="Why it loses">
        <form class="bot-filters" action={botPath(bot.name)}>
          {partValues(scope, "losses").map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <label>
            Version
            <input type="text" name="version" list="labels" required value={version ?? ""} />
          </label>
          <Labels labels={labels} />
          <button class="button quiet" type="submit">
            Show
          </button>
        </form>
        <Verdict data={data} />
      </Section>
      {losses !== null && losses.games > 0 && <Sums losses={losses} data={data} />}
    </>
  );
}

function Verdict({ data: { version, losses } }: LossesPartProps) {
  if (version === null) return <p class="empty">This bot has no version yet.</p>;
  if (losses === null) return <p class="empty">This bot has no version of that name.</p>;
  if (losses.games === 0)
    return (
      <p class="empty">
        <bdi>{version}</bdi> has lost no rated game with statistics here.
      </p>
    );
  return (
    <ul class="loss-findings">
      {lossFindings(losses).map((finding) => (
        <li key={finding}>{finding}</li>
      ))}
    </ul>
  );
}

type SumsProps = LossesPartProps & { losses: Losses };

function Sums({ losses, data }: SumsProps) {
  return (
    <div class="bot-columns">
      <Damage losses={losses} />
      <div>
        <Maps losses={losses} data={data} />
        <Winners losses={losses} data={data} />
      </div>
    </div>
  );
}

function Damage({ losses: { damage, games } }: { losses: Losses }) {
  const most = Math.max(1, ...damage.flatMap(({ dealt, taken }) => [dealt, taken]));
  return (
    <Section id="damage" title="Damage a lost game" note={`Over ${games} lost games`}>
      <table class="damage">
        <thead>
          <tr>
            <th scope="col">By</th>
            <th scope="col" colSpan={2}>
              taken
            </th>
            <th scope="col" colSpan={2}>
              dealt
            </th>
          </tr>
        </thead>
        <tbody>
          {damage.map(({ source, taken, dealt }) => (
            <tr key={source}>
              <th scope="row">{SOURCE_WORDS[source]}</th>
              <Points sum={taken} {...{ games, most }} tone="tone-a" what="taken" />
              <Points sum={dealt} {...{ games, most }} tone="tone-b" what="dealt" />
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

type PointsProps = { sum: number; games: number; most: number; tone: string; what: string };

function Points({ sum, games, most, tone, what }: PointsProps) {
  const points = (sum / games).toFixed(1);
  return (
    <>
      <td class="number">{points}</td>
      <td class="damage-bar">
        <Bar value={sum} max={most} label={`${points} hp ${what}`} tone={tone} />
      </td>
    </>
  );
}

function Maps({ losses, data: { bot, scope, version } }: SumsProps) {
  return (
    <Section id="lost-maps" title="Where">
      <ul class="map-records">
        {losses.maps.map(({ map, games, lost }) => (
          <li key={map}>
            <MapPicture map={map} size={48} />
            <div>
              <a href={partPath(bot.name, scope, "matches", { version, map, result: "L" })}>
                {map}
              </a>
              <Bar value={lost} max={games} label={`${lost} of ${games} lost`} tone="tone-a" />
              <span class="sub">
                {lost} of {games} lost
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const WINNERS_SHOWN = 12;

function Winners({ losses: { opponents }, data: { bot, scope, version } }: SumsProps) {
  const rest = opponents.slice(WINNERS_SHOWN);
  return (
    <Section id="winners" title="Against whom">
      <ul class="winners">
        {opponents.slice(0, WINNERS_SHOWN).map(({ name, display_name, games }) => (
          <li key={name}>
            <a href={botPath(name)}>
              <bdi>{display_name}</bdi>
            </a>{" "}
            <a
              class="sub"
              href={partPath(bot.name, scope, "matches", { version, opponent: name, result: "L" })}
            >
              {games} lost
            </a>
          </li>
        ))}
      </ul>
      {rest.length > 0 && <p class="sub">and {rest.length} others</p>}
    </Section>
  );
}
