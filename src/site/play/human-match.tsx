import { useEffect, useRef } from "preact/hooks";

import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import { zoneShrinksIn } from "#core/engine/zone.ts";
import { matchResultPath } from "#site/ui/links.ts";

import { ArenaLegend } from "./arena-legend.tsx";
import type { ControlState } from "./control-state.ts";
import { PlayControls } from "./controls.tsx";
import { MatchAnnouncer } from "./match-announcer.tsx";
import { createBoard } from "./match-board.ts";
import type { MatchBoard } from "./match-board.ts";
import type { HumanMatchState } from "./match-state.ts";
import { humanMatchBots, summarizeHumanMatch } from "./match-summary.ts";
import { describeEndReason, describeVerdict } from "./match-texts.ts";
import type { PlayObservation } from "./messages.ts";
import type { PlayOpponent } from "./opponents.ts";
import { saveBeatenOpponent } from "./play-storage.ts";
import { TutorialHint } from "./tutorial-hint.tsx";
import { useHumanMatch } from "./use-human-match.ts";
import type { PlayDispatch } from "./use-human-match.ts";

export type HumanMatchProps = {
  opponent: PlayOpponent;
  harderOpponent: PlayOpponent | null;
  onStart: (opponent: PlayOpponent) => void;
  onLeave: () => void;
};

export function HumanMatch(props: HumanMatchProps) {
  const { opponent, onLeave } = props;
  const [controlState, dispatch] = useHumanMatch(opponent.short, opponent.display);
  const { matchState } = controlState;
  const sectionRef = useRef<HTMLElement>(null);
  useEffect(() => sectionRef.current?.scrollIntoView(), []);
  return (
    <section class="duel" ref={sectionRef} aria-labelledby="duel-title">
      <h1 class="visually-hidden" id="duel-title">
        Match against {opponent.display}
      </h1>
      <MatchHeader matchState={matchState} />
      <div class="duel-body">
        <MatchArena controlState={controlState} dispatch={dispatch} />
        <div class="duel-side">
          {matchState.end === null && matchState.error === null ? (
            <RunningMatch controlState={controlState} dispatch={dispatch} onLeave={onLeave} />
          ) : (
            <MatchResult {...props} matchState={matchState} />
          )}
        </div>
      </div>
      <MatchAnnouncer matchState={matchState} />
    </section>
  );
}

type RunningMatchProps = {
  controlState: ControlState;
  dispatch: PlayDispatch;
  onLeave: () => void;
};

function RunningMatch({ controlState, dispatch, onLeave }: RunningMatchProps) {
  const { matchState } = controlState;
  return (
    <>
      <PlayControls controlState={controlState} dispatch={dispatch} />
      <TutorialHint matchState={matchState} />
      <MatchMessages matchState={matchState} />
      {matchState.isDraining && (
        <p class="sub">The server is about to restart. It will finish this match first.</p>
      )}
      <button type="button" class="duel-quiet" onClick={onLeave}>
        Give up
      </button>
    </>
  );
}

function MatchHeader({ matchState }: { matchState: HumanMatchState }) {
  const { observation, hello, grid, opponentName } = matchState;
  const [opponentView] = observation?.fighters ?? [];
  return (
    <header class="duel-head">
      <FighterCorner
        side="a"
        name="You"
        hp={observation?.self.hp}
        power={observation?.self.power}
      />
      <div class="duel-clock">
        <span class="duel-tick">{matchState.end?.stats?.ticks ?? observation?.tick ?? "–"}</span>
        <TickClock
          tick={matchState.end === null ? observation?.tick : undefined}
          ms={hello?.deadlines.tick_ms}
        />
        <span class="sub">
          {observation === null || grid === null ? "\u00a0" : describeZone(grid, observation)}
        </span>
      </div>
      <FighterCorner
        side="b"
        name={opponentName}
        hp={opponentView?.hp}
        power={opponentView !== undefined && "power" in opponentView ? opponentView.power : 0}
      />
    </header>
  );
}

function describeZone(grid: Grid, { tick }: PlayObservation): string {
  const ticksToShrink = zoneShrinksIn(grid, tick);
  if (ticksToShrink === null) return "last square";
  return `${tick < RULES.zone.start ? "zone in" : "closes in"} ${ticksToShrink}`;
}

type FighterCornerProps = {
  side: "a" | "b";
  name: string;
  hp?: number | undefined;
  power?: number | undefined;
};

function FighterCorner({ side, name, hp = RULES.hp, power = 0 }: FighterCornerProps) {
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

/** The bar empties once per tick. With reduced motion, it empties in four steps. */
function TickClock({ tick, ms }: { tick?: number | undefined; ms?: number | undefined }) {
  const barRef = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (tick === undefined || ms === undefined) return undefined;
    const easing = matchMedia("(prefers-reduced-motion: reduce)").matches ? "steps(4)" : "linear";
    const keyframes = [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }];
    const clockAnimation = barRef.current?.animate(keyframes, {
      duration: ms,
      easing,
      fill: "forwards",
    });
    return () => clockAnimation?.cancel();
  }, [tick]);
  return (
    <span class="duel-time" aria-hidden="true">
      <span ref={barRef} />
    </span>
  );
}

function MatchArena({
  controlState,
  dispatch,
}: {
  controlState: ControlState;
  dispatch: PlayDispatch;
}) {
  const { matchState, choice, dash } = controlState;
  const { hello, grid, observation, previous, end, opponentName } = matchState;
  const container = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const board = useRef<MatchBoard>(null);
  // Focus moves to the arena, because the start button is gone.
  useEffect(() => canvas.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (container.current === null || canvas.current === null || hello === null || grid === null)
      return undefined;
    const newBoard = createBoard(container.current, canvas.current, {
      grid,
      tickMs: hello.deadlines.tick_ms,
      bots: humanMatchBots(hello),
    });
    board.current = newBoard;
    return () => newBoard.stop();
  }, [hello]);
  useEffect(() => {
    if (observation !== null) board.current?.animateTick(previous, observation);
  }, [observation]);
  useEffect(() => {
    if (observation === null) return;
    board.current?.setOverlay(
      end === null ? { observation, choice, isDashing: dash !== null } : null,
    );
  }, [observation, choice, dash, end]);
  useEffect(() => {
    if (end !== null && hello !== null && isStored(matchState))
      board.current?.setSummary(summarizeHumanMatch(end, { ownId: hello.fighter, opponentName }));
  }, [end]);
  const aimAtPoint = ({ clientX, clientY }: PointerEvent): void => {
    if (board.current === null || observation === null) return;
    const tile = board.current.tileAt(clientX, clientY);
    const isOwnTile = tile[0] === observation.self.x && tile[1] === observation.self.y;
    dispatch({ type: "aim", tile: isOwnTile ? null : tile });
  };
  return (
    <div>
      <div class="duel-stage" ref={container}>
        <canvas
          ref={canvas}
          role="img"
          tabIndex={-1}
          aria-label={`Arena of your match against ${opponentName}, from above. Events are described below.`}
          onPointerDown={aimAtPoint}
        />
        {hello === null && matchState.error === null && (
          <p class="duel-wait">Starting the match…</p>
        )}
      </div>
      <ArenaLegend />
    </div>
  );
}

function MatchMessages({ matchState }: { matchState: HumanMatchState }) {
  return (
    <ol class="duel-news" aria-label="Event log">
      {matchState.messages.map(({ tick, text }, index) => (
        <li key={`${tick} ${index}`}>
          <span class="sub">{tick}</span> {text}
        </li>
      ))}
    </ol>
  );
}

type MatchResultProps = HumanMatchProps & { matchState: HumanMatchState };

/** The server stores only matches with at least one finished tick. */
const isStored = ({ observation }: HumanMatchState): boolean =>
  observation !== null && observation.tick > 0;

function MatchResult({ matchState, opponent, harderOpponent, onStart, onLeave }: MatchResultProps) {
  const { end, hello, error, opponentName } = matchState;
  const title = useRef<HTMLHeadingElement>(null);
  const playerNames = { ownId: hello?.fighter ?? "A", opponentName };
  const hasWon = end !== null && end.winner === playerNames.ownId;
  useEffect(() => {
    title.current?.focus();
    if (hasWon) saveBeatenOpponent(opponent.short);
  }, []);
  return (
    <div class={`duel-result ${hasWon ? "won" : ""}`}>
      <h2 ref={title} tabIndex={-1}>
        {end === null ? "No match" : describeVerdict(end, playerNames)}
      </h2>
      <p>{end === null ? error : describeEndReason(end, playerNames)}</p>
      <p class="duel-ways">
        {hasWon && harderOpponent !== null && (
          <button type="button" class="button" onClick={() => onStart(harderOpponent)}>
            Next: {harderOpponent.display}, {harderOpponent.difficulty}
          </button>
        )}
        <button
          type="button"
          class={`button ${hasWon && harderOpponent !== null ? "quiet" : ""}`}
          onClick={() => onStart(opponent)}
        >
          {end === null ? "Try again" : "Play again"}
        </button>
        {hello !== null && isStored(matchState) && (
          <a class="button quiet" href={matchResultPath(hello.match_id)}>
            Watch the replay
          </a>
        )}
        <button type="button" class="button quiet" onClick={onLeave}>
          Other opponents
        </button>
      </p>
      {end !== null && (
        <p class="sub">
          You know the moves now. <a href="/create-bot">Write a bot</a> that plays for you, and see
          how it ranks.
        </p>
      )}
    </div>
  );
}
