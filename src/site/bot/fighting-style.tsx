import type { BotStyle } from "#core/resources/bot-record.ts";
import { Bar } from "#site/look/parts.tsx";

type FightingStyleProps = { style: BotStyle };

/** What a bot relies on, how it moves, and what a game costs it. */
export function FightingStyle({ style: { fights, attacks } }: FightingStyleProps) {
  if (fights === null)
    return <p class="empty">A style is read from games with statistics; there are none.</p>;
  const figures: [name: string, value: number, unit: string][] = [
    ["attacks", fights.attacks_per_100_ticks, "in 100 ticks"],
    ["steps", fights.steps_per_100_ticks, "in 100 ticks"],
    ["damage dealt", fights.damage_dealt, "a game"],
    ["damage taken", fights.damage_taken, "a game"],
    ["healed", fights.healed, "a game"],
    ["lost to the zone", fights.zone_damage, "a game"],
    ["wall slams", fights.wall_slams, "a game"],
  ];
  return (
    <div class="fighting-style">
      <p>
        <strong>{mannered(fights)}</strong>, over {gamesWords(fights.games)}
        {fights.favourite !== null && (
          <>
            : {Math.round(fights.favourite_share)} % of its damage by {fights.favourite}
          </>
        )}
        . {Math.round(fights.accuracy)} % of its attacks hit.
      </p>
      <table class="attacks">
        <caption>Damage by attack</caption>
        <tbody>
          {attacks.map(({ attack, uses, share }) => (
            <tr key={attack}>
              <th scope="row">{attack}</th>
              <td>
                <Bar value={share} max={100} label={`${Math.round(share)} % of its damage`} />
              </td>
              <td class="number">{Math.round(share)} %</td>
              <td class="number sub">{uses === 1 ? "1 use" : `${uses} uses`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="pace">
        {figures.map(([name, value, unit]) => (
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

const gamesWords = (games: number): string => (games === 1 ? "1 game" : `${games} games`);

function mannered({ style, manner }: NonNullable<BotStyle["fights"]>): string {
  const words = manner === "even" ? style : `${manner} ${style}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
