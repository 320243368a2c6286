import type { Losses } from "#core/api/bot-record.ts";
import { botPath } from "#site/ui/links.ts";
import { MapThumbnail } from "#site/ui/map-thumbnail.tsx";
import { Bar, Section } from "#site/ui/section.tsx";
import { DAMAGE_SOURCE_TEXTS } from "#site/viewer/match-texts.ts";

import { botPartPath, partParameters } from "./bot-links.ts";
import type { BotData } from "./data.ts";
import { describeLosses } from "./loss-findings.ts";
import { VersionDatalist } from "./version-datalist.tsx";

type LossesPanelProps = { data: Extract<BotData, { part: "losses" }> };

export function LossesPanel({ data }: LossesPanelProps) {
  const { bot, scope, version, losses, labels } = data;
  return (
    <>
      <Section id="losses" title="Why it loses">
        <form class="bot-filters" action={botPath(bot.name)}>
          {partParameters(scope, "losses").map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <label>
            Version
            <input type="text" name="version" list="labels" required value={version ?? ""} />
          </label>
          <VersionDatalist labels={labels} />
          <button class="button quiet" type="submit">
            Show
          </button>
        </form>
        <LossFindings data={data} />
      </Section>
      {losses !== null && losses.games > 0 && <LossStats losses={losses} data={data} />}
    </>
  );
}

function LossFindings({ data: { version, losses } }: LossesPanelProps) {
  if (version === null) return <p class="empty">This bot has no version yet.</p>;
  if (losses === null) return <p class="empty">This bot has no version with this label.</p>;
  if (losses.games === 0)
    return (
      <p class="empty">
        <bdi>{version}</bdi> has lost no rated games with statistics here.
      </p>
    );
  return (
    <ul class="loss-findings">
      {describeLosses(losses).map((finding) => (
        <li key={finding}>{finding}</li>
      ))}
    </ul>
  );
}

type LossStatsProps = LossesPanelProps & { losses: Losses };

function LossStats({ losses, data }: LossStatsProps) {
  return (
    <div class="bot-columns">
      <DamageTable losses={losses} />
      <div>
        <LostMaps losses={losses} data={data} />
        <LostOpponents losses={losses} data={data} />
      </div>
    </div>
  );
}

function DamageTable({ losses: { damage, games } }: { losses: Losses }) {
  const maxDamage = Math.max(1, ...damage.flatMap(({ dealt, taken }) => [dealt, taken]));
  return (
    <Section id="damage" title="Damage per lost game" note={`${games} lost games`}>
      <table class="damage">
        <thead>
          <tr>
            <th scope="col">Source</th>
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
              <th scope="row">{DAMAGE_SOURCE_TEXTS[source]}</th>
              <DamageCell
                sum={taken}
                {...{ games, maxDamage }}
                tone="tone-a"
                directionText="taken"
              />
              <DamageCell
                sum={dealt}
                {...{ games, maxDamage }}
                tone="tone-b"
                directionText="dealt"
              />
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

type DamageCellProps = {
  sum: number;
  games: number;
  maxDamage: number;
  tone: string;
  directionText: string;
};

function DamageCell({ sum, games, maxDamage, tone, directionText }: DamageCellProps) {
  const points = (sum / games).toFixed(1);
  return (
    <>
      <td class="number">{points}</td>
      <td class="damage-bar">
        <Bar value={sum} max={maxDamage} label={`${points} HP ${directionText}`} tone={tone} />
      </td>
    </>
  );
}

function LostMaps({ losses, data: { bot, scope, version } }: LossStatsProps) {
  return (
    <Section id="lost-maps" title="Maps">
      <ul class="map-records">
        {losses.maps.map(({ map, games, lost }) => (
          <li key={map}>
            <MapThumbnail map={map} size={48} />
            <div>
              <a href={botPartPath(bot.name, scope, "matches", { version, map, result: "L" })}>
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

const SHOWN_OPPONENTS = 12;

function LostOpponents({ losses: { opponents }, data: { bot, scope, version } }: LossStatsProps) {
  const otherOpponents = opponents.slice(SHOWN_OPPONENTS);
  return (
    <Section id="winners" title="Opponents">
      <ul class="winners">
        {opponents.slice(0, SHOWN_OPPONENTS).map(({ name, display_name, games }) => (
          <li key={name}>
            <a href={botPath(name)}>
              <bdi>{display_name}</bdi>
            </a>{" "}
            <a
              class="sub"
              href={botPartPath(bot.name, scope, "matches", {
                version,
                opponent: name,
                result: "L",
              })}
            >
              {games} lost
            </a>
          </li>
        ))}
      </ul>
      {otherOpponents.length > 0 && <p class="sub">and {otherOpponents.length} others</p>}
    </Section>
  );
}
