import { firstTwo } from "#base/util/assert-defined.ts";
import type { FighterFrame, MatchFrame } from "#core/engine/frame.ts";
import { RULES } from "#core/engine/rules.ts";
import { COOLDOWNS } from "#core/engine/types.ts";
import { zoneRadius, zoneShrinksIn } from "#core/engine/zone.ts";

import type { NamesByFighter } from "./match-texts.ts";
import type { SimulatedReplay } from "./simulated-replay.ts";

type ViewerHudProps = {
  simulation: Pick<SimulatedReplay, "grid">;
  frame: MatchFrame;
  names: NamesByFighter;
};

/** Both HP bars and the tick. The page shows the names above, so full screen alone repeats them. */
export function ViewerHud({ simulation, frame, names }: ViewerHudProps) {
  const [a, b] = firstTwo(frame.fighters);
  return (
    <div class="hud">
      <HudCorner fighter={a} name={names[a.id] ?? a.id} side="a" />
      <div class="hud-middle">
        <span class="hud-tick">{frame.tick}</span>
        <span class="sub">{describeReplayZone(simulation, frame)}</span>
      </div>
      <HudCorner fighter={b} name={names[b.id] ?? b.id} side="b" />
    </div>
  );
}

function describeReplayZone({ grid }: Pick<SimulatedReplay, "grid">, { tick }: MatchFrame): string {
  const radius = zoneRadius(grid, tick);
  const ticksToShrink = zoneShrinksIn(grid, tick);
  if (ticksToShrink === null) return "last square";
  const label = radius === grid.fullRadius ? "zone in" : "closes in";
  return `${label} ${ticksToShrink}`;
}

type HudCornerProps = { fighter: FighterFrame; name: string; side: "a" | "b" };

function HudCorner({ fighter, name, side }: HudCornerProps) {
  return (
    <div class={`corner ${side}`}>
      <div class="corner-head">
        <bdi class={`corner-name corner-${side}`}>{name}</bdi>
        <span class="corner-hp">
          {fighter.hp} <span class="sub">hp</span>
        </span>
      </div>
      <HpBar hp={fighter.hp} side={side} />
    </div>
  );
}

export function HpBar({ hp, side }: { hp: number; side: "a" | "b" }) {
  const hpPercent = ((100 * hp) / RULES.hp).toFixed(1);
  return (
    <svg class={`hp ${side}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="hp-back" width="100" height="10" />
      <rect class="hp-lost" width={hpPercent} height="10" />
      <rect class="hp-left" width={hpPercent} height="10" />
    </svg>
  );
}

/** Shows both fighters' positions, effects and cooldowns. */
export function FighterStates({ frame, names }: Pick<ViewerHudProps, "frame" | "names">) {
  return (
    <div class="fighter-states">
      {frame.fighters.map((fighter) => {
        const name = names[fighter.id] ?? fighter.id;
        return (
          <div key={fighter.id} class="fighter-state">
            <p class="fighter-state-head">
              <bdi class={`corner-${fighter.id.toLowerCase()}`}>{name}</bdi>{" "}
              <span class="sub">{describeFighterState(fighter)}</span>
            </p>
            <FighterCooldowns fighter={fighter} name={name} />
          </div>
        );
      })}
    </div>
  );
}

function FighterCooldowns({ fighter, name }: { fighter: FighterFrame; name: string }) {
  return (
    <dl class="cooldowns" aria-label={`Cooldowns of ${name}, in ticks`}>
      {COOLDOWNS.map((cooldown) => (
        <div key={cooldown} class={fighter.cooldowns[cooldown] === 0 ? "ready" : "waits"}>
          <dt>{cooldown}</dt>
          <dd>{fighter.cooldowns[cooldown] === 0 ? "✓" : fighter.cooldowns[cooldown]}</dd>
        </div>
      ))}
    </dl>
  );
}

function describeFighterState({ alive, stun, power, x, y }: FighterFrame): string {
  if (!alive) return "fallen";
  const states = [
    `at ${x},${y}`,
    ...(stun > 0 ? [`stunned ${stun}`] : []),
    ...(power > 0 ? [`power ${power}`] : []),
  ];
  return states.join(" · ");
}
