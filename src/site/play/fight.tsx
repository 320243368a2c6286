import { useEffect, useRef } from "preact/hooks";

import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import { zoneShrinksIn } from "#core/engine/zone.ts";
import { matchPath } from "#site/look/links.ts";

import { openBoard } from "./board.ts";
import type { PlayBoard } from "./board.ts";
import { Coach } from "./coach.tsx";
import { Controls } from "./controls.tsx";
import type { FightState } from "./fight-state.ts";
import { Legend } from "./legend.tsx";
import { noteBeaten } from "./memory.ts";
import type { Seen } from "./messages.ts";
import type { Opponent } from "./opponents.ts";
import type { PlayedHand } from "./playing.ts";
import { Spoken } from "./spoken.tsx";
import { useFight } from "./use-fight.ts";
import type { Act } from "./use-fight.ts";
import { reasonOf, verdictOf } from "./words.ts";

export type FightProps = {
  opponent: Opponent;
  /** The next harder one. */
  stronger: Opponent | null;
  onFight: (opponent: Opponent) => void;
  onLeave: () => void;
};

/** One fight, from the first word to the result. */
export function Fight(props: FightProps) {
  const { opponent, onLeave } = props;
  const [playing, act] = useFight(opponent.short, opponent.display);
  const { fight } = playing;
  const top = useRef<HTMLElement>(null);
  useEffect(() => top.current?.scrollIntoView(), []);
  return (
    <section class="duel" ref={top} aria-labelledby="duel-title">
      <h1 class="visually-hidden" id="duel-title">
        Fight against {opponent.display}
      </h1>
      <Head fight={fight} />
      <div class="duel-body">
        <Arena playing={playing} act={act} />
        <div class="duel-side">
          {fight.end === null && fight.trouble === null ? (
            <Underway playing={playing} act={act} onLeave={onLeave} />
          ) : (
            <Result {...props} fight={fight} />
          )}
        </div>
      </div>
      <Spoken fight={fight} />
    </section>
  );
}

type UnderwayProps = { playing: PlayedHand; act: Act; onLeave: () => void };

function Underway({ playing, act, onLeave }: UnderwayProps) {
  const { fight } = playing;
  return (
    <>
      <Controls playing={playing} act={act} />
      <Coach fight={fight} />
      <NewsList fight={fight} />
      {fight.isDraining && (
        <p class="sub">The server is about to restart. This fight is played to its end first.</p>
      )}
      <button type="button" class="duel-quiet" onClick={onLeave}>
        Give up
      </button>
    </>
  );
}

/** Both fighters' hit points, with the clock of the tick between them. */
function Head({ fight }: { fight: FightState }) {
  const { seen, hello, grid, foe } = fight;
  const [other] = seen?.fighters ?? [];
  return (
    <header class="duel-head">
      <Corner side="a" name="You" hp={seen?.self.hp} power={seen?.self.power} />
      <div class="duel-clock">
        <span class="duel-tick">{fight.end?.stats?.ticks ?? seen?.tick ?? "–"}</span>
        <TickClock
          tick={fight.end === null ? seen?.tick : undefined}
          ms={hello?.deadlines.tick_ms}
        />
        <span class="sub">{seen === null || grid === null ? "\u00a0" : zoneWords(grid, seen)}</span>
      </div>
      <Corner
        side="b"
        name={foe}
        hp={other?.hp}
        power={other !== undefined && "power" in other ? other.power : 0}
      />
    </header>
  );
}

function zoneWords(grid: Grid, { tick }: Seen): string {
  const shrinksIn = zoneShrinksIn(grid, tick);
  if (shrinksIn === null) return "last square";
  return `${tick < RULES.zone.start ? "zone in" : "closes in"} ${shrinksIn}`;
}

type CornerProps = {
  side: "a" | "b";
  name: string;
  hp?: number | undefined;
  power?: number | undefined;
};

function Corner({ side, name, hp = RULES.hp, power = 0 }: CornerProps) {
  return (
    <div class={`duel-corner ${side}`}>
      <p>
        <strong class={`corner-${side}`}>{name}</strong>{" "}
        <span class="duel-hp">
          {hp} <span class="sub">hp{power > 0 ? ` · power ${power}` : ""}</span>
        </span>
      </p>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="duel-hp-back" width="100" height="10" />
        <rect
          class={`duel-hp-left ${side}`}
          width={((100 * hp) / RULES.hp).toFixed(1)}
          height="10"
        />
      </svg>
    </div>
  );
}

/** Empties once a tick; with reduced motion in four steps. */
function TickClock({ tick, ms }: { tick?: number | undefined; ms?: number | undefined }) {
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (tick === undefined || ms === undefined) return undefined;
    const easing = matchMedia("(prefers-reduced-motion: reduce)").matches ? "steps(4)" : "linear";
    const way = [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }];
    const running = bar.current?.animate(way, { duration: ms, easing, fill: "forwards" });
    return () => running?.cancel();
  }, [tick]);
  return (
    <span class="duel-time" aria-hidden="true">
      <span ref={bar} />
    </span>
  );
}

function Arena({ playing, act }: { playing: PlayedHand; act: Act }) {
  const { fight, choice, dash } = playing;
  const { hello, grid, seen, previous, end, foe } = fight;
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const board = useRef<PlayBoard>(null);
  // The button that began the fight is gone; the controls come next.
  useEffect(() => canvas.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (stage.current === null || canvas.current === null || hello === null || grid === null)
      return undefined;
    const open = openBoard(stage.current, canvas.current, grid, hello.deadlines.tick_ms);
    board.current = open;
    return () => open.stop();
  }, [hello]);
  useEffect(() => {
    if (seen !== null) board.current?.play(previous, seen);
  }, [seen]);
  useEffect(() => {
    if (seen === null) return;
    board.current?.show(end === null ? { seen, choice, isDashing: dash !== null } : null);
  }, [seen, choice, dash, end]);
  const aim = ({ clientX, clientY }: PointerEvent): void => {
    if (board.current === null || seen === null) return;
    const tile = board.current.tileAt(clientX, clientY);
    const isOwn = tile[0] === seen.self.x && tile[1] === seen.self.y;
    act({ type: "aim", tile: isOwn ? null : tile });
  };
  return (
    <div>
      <div class="duel-stage" ref={stage}>
        <canvas
          ref={canvas}
          role="img"
          tabIndex={-1}
          aria-label={`The arena of your fight against ${foe}, seen from above. What happens in it is said below.`}
          onPointerDown={aim}
        />
        {hello === null && fight.trouble === null && <p class="duel-wait">Entering the ring…</p>}
      </div>
      <Legend />
    </div>
  );
}

function NewsList({ fight }: { fight: FightState }) {
  return (
    <ol class="duel-news" aria-label="What happened">
      {fight.news.map(({ tick, text }, index) => (
        <li key={`${tick} ${index}`}>
          <span class="sub">{tick}</span> {text}
        </li>
      ))}
    </ol>
  );
}

type ResultProps = FightProps & { fight: FightState };

/** A fight without a played tick is not kept. */
const isStored = ({ seen }: FightState): boolean => seen !== null && seen.tick > 0;

/** How it ended, why, and where to go from here. */
function Result({ fight, opponent, stronger, onFight, onLeave }: ResultProps) {
  const { end, hello, trouble, foe } = fight;
  const title = useRef<HTMLHeadingElement>(null);
  const sides = { me: hello?.fighter ?? "A", foe };
  const hasWon = end !== null && end.winner === sides.me;
  useEffect(() => {
    title.current?.focus();
    if (hasWon) noteBeaten(opponent.short);
  }, []);
  return (
    <div class={`duel-result ${hasWon ? "won" : ""}`}>
      <h2 ref={title} tabIndex={-1}>
        {end === null ? "No fight" : verdictOf(end, sides)}
      </h2>
      <p>{end === null ? trouble : reasonOf(end, sides)}</p>
      <p class="duel-ways">
        {hasWon && stronger !== null && (
          <button type="button" class="button" onClick={() => onFight(stronger)}>
            Next: {stronger.display}, {stronger.difficulty}
          </button>
        )}
        <button
          type="button"
          class={`button ${hasWon && stronger !== null ? "quiet" : ""}`}
          onClick={() => onFight(opponent)}
        >
          {end === null ? "Try again" : "Fight again"}
        </button>
        {hello !== null && isStored(fight) && (
          <a class="button quiet" href={matchPath(hello.match_id)}>
            Watch the replay
          </a>
        )}
        <button type="button" class="button quiet" onClick={onLeave}>
          Other opponents
        </button>
      </p>
      {end !== null && (
        <p class="sub">
          You know the moves now. <a href="/create-bot">Write a bot</a> that makes them for you, and
          the ladder will say how good it is.
        </p>
      )}
    </div>
  );
}
