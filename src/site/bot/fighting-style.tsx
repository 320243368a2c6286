import type { BotStyle } from "#core/api/bot-record.ts";
import { Bar } from "#site/ui/section.tsx";

type FightingStyleProps = { style: BotStyle };

export function FightingStyle({ style: { fights, attacks } }: FightingStyleProps) {
  if (fights === null) return <p class="empty">No games with statistics yet.</p>;
  const styleMetrics: [name: string, value: number, unit: string][] = [
    ["attacks", fights.attacks_per_100_ticks, "per 100 ticks"],
    ["steps", fights.steps_per_100_ticks, "per 100 ticks"],
    ["damage dealt", fights.damage_dealt, "a game"],
    ["damage taken", fights.damage_taken, "a game"],
    ["healed", fights.healed, "a game"],
    ["lost to the zone", fights.zone_damage, "a game"],
    ["wall slams", fights.wall_slams, "a game"],
  ];
  return (
    <div class="fighting-style">
      <p>
        <strong>{describeStyle(fights)}</strong>, over {formatGames(fights.games)}
        {fights.favourite !== null && (
          <>
            : {Math.round(fights.favourite_share)} % of damage from {fights.favourite}
          </>
        )}
        . {Math.round(fights.accuracy)} % of attacks hit.
      </p>
      <table class="attacks">
        <caption>Damage by attack</caption>
        <tbody>
          {attacks.map(({ attack, uses, share: percent }) => (
            <tr key={attack}>
              <th scope="row">{attack}</th>
              <td>
                <Bar value={percent} max={100} label={`${Math.round(percent)} % of damage`} />
              </td>
              <td class="number">{Math.round(percent)} %</td>
              <td class="number sub">{uses === 1 ? "1 use" : `${uses} uses`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="pace">
        {styleMetrics.map(([name, value, unit]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value.toFixed(1)} <span class="sub">{unit}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const formatGames = (games: number): string => (games === 1 ? "1 game" : `${games} games`);

function describeStyle({ style, manner }: NonNullable<BotStyle["fights"]>): string {
  const description = manner === "even" ? style : `${manner} ${style}`;
  return description.charAt(0).toUpperCase() + description.slice(1);
}
