import { bothOf } from "#base/units/sure.ts";
import { RULES } from "#core/engine/rules.ts";
import { COOLDOWNS } from "#core/engine/types.ts";
import { zoneRadius, zoneShrinksIn } from "#core/engine/zone.ts";

import type { FighterFrame, Film, FilmFrame } from "./film.ts";
import type { Names } from "./words.ts";

type HudProps = { film: Film; frame: FilmFrame; names: Names };

/** Both fighters' numbers above the arena, as of between two ticks. */
export function Hud({ film, frame, names }: HudProps) {
  const [a, b] = bothOf(frame.fighters);
  return (
    <div class="hud">
      <Corner fighter={a} name={names[a.id] ?? a.id} side="a" />
      <div class="hud-middle">
        <span class="hud-tick">{frame.tick}</span>
        <span class="sub">{zoneWords(film, frame)}</span>
      </div>
      <Corner fighter={b} name={names[b.id] ?? b.id} side="b" />
    </div>
  );
}

function zoneWords({ grid }: Film, { tick }: FilmFrame): string {
  const radius = zoneRadius(grid, tick);
  const shrinksIn = zoneShrinksIn(grid, tick);
  if (shrinksIn === null) return "last square";
  const verb = radius === grid.fullRadius ? "zone in" : "closes in";
  return `${verb} ${shrinksIn}`;
}

type CornerProps = { fighter: FighterFrame; name: string; side: "a" | "b" };

function Corner({ fighter, name, side }: CornerProps) {
  const share = ((100 * fighter.hp) / RULES.hp).toFixed(1);
  return (
    <div class={`corner ${side}`}>
      <div class="corner-head">
        <span class={`corner-name corner-${side}`}>{name}</span>
        <span class="corner-hp">
          {fighter.hp} <span class="sub">hp</span>
        </span>
      </div>
      <svg class="hp" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="hp-back" width="100" height="10" />
        <rect class="hp-lost" width={share} height="10" />
        <rect class="hp-left" width={share} height="10" />
      </svg>
      <p class="corner-state">{stateWords(fighter)}</p>
      <dl class="cooldowns" aria-label={`Cooldowns of ${name}, in ticks`}>
        {COOLDOWNS.map((cooldown) => (
          <div key={cooldown} class={fighter.cooldowns[cooldown] === 0 ? "ready" : "waits"}>
            <dt>{cooldown}</dt>
            <dd>{fighter.cooldowns[cooldown] === 0 ? "✓" : fighter.cooldowns[cooldown]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function stateWords({ alive, stun, power, x, y }: FighterFrame): string {
  if (!alive) return "fallen";
  const states = [
    `at ${x},${y}`,
    ...(stun > 0 ? [`stunned ${stun}`] : []),
    ...(power > 0 ? [`power ${power}`] : []),
  ];
  return states.join(" · ");
}
