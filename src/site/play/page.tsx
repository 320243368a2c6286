import type { FunctionComponent } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { Avatar } from "#site/avatars/avatar.tsx";

import { ArenaLegend } from "./arena-legend.tsx";
import type { PlayData } from "./data.ts";
import type { HumanMatchProps } from "./human-match.tsx";
import { opponentsFor } from "./opponents.ts";
import type { PlayOpponent } from "./opponents.ts";
import { loadBeatenOpponents, hasFinishedTutorial, saveTutorialFinished } from "./play-storage.ts";

type SelectedMatch = { opponent: PlayOpponent; matchNumber: number };

/** Page for playing against a house bot. The match code is loaded on demand. */
export function PlayPage({ data: { play, tick_ms, requestedOpponent } }: { data: PlayData }) {
  const opponents = opponentsFor(play?.opponents ?? []);
  const [selectedMatch, setSelectedMatch] = useState<SelectedMatch | null>(null);
  const [MatchComponent, setMatchComponent] = useState<FunctionComponent<HumanMatchProps> | null>(
    null,
  );
  const [hasLoadError, setLoadError] = useState(false);
  const [hasPlayed, setHasPlayed] = useState(false);
  const onStart = (opponent: PlayOpponent): void => {
    setSelectedMatch((previous) => ({ opponent, matchNumber: (previous?.matchNumber ?? 0) + 1 }));
    import("./human-match.tsx").then(
      (module) => setMatchComponent(() => module.HumanMatch),
      () => setLoadError(true),
    );
  };
  if (selectedMatch === null || hasLoadError)
    return (
      <OpponentLobby
        opponents={opponents}
        isEnabled={play !== null}
        hasLoadError={hasLoadError}
        tickMs={tick_ms}
        requestedOpponent={requestedOpponent}
        isReturning={hasPlayed}
        onStart={onStart}
      />
    );
  if (MatchComponent === null) return <p class="duel-wait">Starting the match…</p>;
  const { opponent, matchNumber } = selectedMatch;
  const harderOpponent = opponents[opponents.indexOf(opponent) + 1] ?? null;
  return (
    <MatchComponent
      key={matchNumber}
      opponent={opponent}
      harderOpponent={harderOpponent}
      onStart={onStart}
      onLeave={() => {
        setSelectedMatch(null);
        setHasPlayed(true);
      }}
    />
  );
}

type OpponentLobbyProps = {
  opponents: readonly PlayOpponent[];
  isEnabled: boolean;
  hasLoadError: boolean;
  tickMs: number;
  requestedOpponent: string | null;
  /** Whether the player just left a match. */
  isReturning: boolean;
  onStart: (opponent: PlayOpponent) => void;
};

function OpponentLobby({
  opponents,
  isEnabled,
  hasLoadError,
  tickMs,
  requestedOpponent,
  isReturning,
  onStart,
}: OpponentLobbyProps) {
  const title = useRef<HTMLHeadingElement>(null);
  // The element that had focus was removed with the match.
  useLayoutEffect(() => {
    if (isReturning) title.current?.focus();
  }, []);
  return (
    <div class="play">
      <h1 ref={title} tabIndex={-1}>
        Play a house bot
      </h1>
      <p class="lead">
        Both players choose a step and an attack at the same time, one turn every{" "}
        {(tickMs / 1000).toString()} seconds. The last one standing wins. These matches are unrated.
      </p>
      {hasLoadError && (
        <p class="notice bad" role="alert">
          Couldn't load the match. The server may have been updated:{" "}
          <a href="/play">reload the page</a>.
        </p>
      )}
      {opponents.length === 0 ? (
        <PlayUnavailable isEnabled={isEnabled} />
      ) : (
        <>
          <noscript>
            <p class="notice">
              Matches on this page need JavaScript. Without it, use <code>bout play</code> in a
              terminal. The <a href="/guide">guides</a> explain how to write a bot.
            </p>
          </noscript>
          <OpponentCards
            opponents={opponents}
            requestedOpponent={requestedOpponent}
            onStart={onStart}
          />
          <PlayInstructions />
        </>
      )}
    </div>
  );
}

function PlayUnavailable({ isEnabled }: { isEnabled: boolean }) {
  return (
    <p class="notice">
      {isEnabled
        ? "No house bots are enabled on this ladder."
        : "The operator has disabled human matches on this ladder."}{" "}
      With a copy of the project, you can run <code>bout play</code> in a terminal. See the{" "}
      <a href="/guide/cli">command guide</a> .
    </p>
  );
}

type OpponentCardsProps = Pick<OpponentLobbyProps, "opponents" | "requestedOpponent" | "onStart">;

function OpponentCards({ opponents, requestedOpponent, onStart }: OpponentCardsProps) {
  const [beatenOpponents, setBeatenOpponents] = useState<readonly string[]>([]);
  useEffect(() => setBeatenOpponents(loadBeatenOpponents()), []);
  return (
    <ul class="play-opponents">
      {opponents.map((opponent) => {
        const { short, name, display, difficulty, summary } = opponent;
        return (
          <li key={short} class={`play-card ${requestedOpponent === short ? "asked" : ""}`}>
            <span class="play-face">
              <Avatar name={name} house />
            </span>
            <h2>{display}</h2>
            <p class="play-strength">{difficulty}</p>
            <p class="sub">{summary}</p>
            <p class="sub play-won">
              {beatenOpponents.includes(short) ? "You've beaten it." : "\u00a0"}
            </p>
            <button
              type="button"
              class="button"
              aria-label={`Play ${display}, ${difficulty}`}
              onClick={() => onStart(opponent)}
            >
              Play
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const KEY_HELP: readonly [keys: string, does: string][] = [
  ["W A S D, Q E Z C, arrows or number pad", "step in one of eight directions, while held"],
  ["Shift", "with a step: dash three tiles"],
  ["1 strike, 2 bolt, 3 hook, 4 repulse, 5 blast, 6 scorch", "attack; press again to cancel"],
  ["U I O, J K L, M and the full stop", "move the aim by a tile"],
  ["H", "aim at the opponent again"],
];

function PlayInstructions() {
  const [isTutorialDone, setTutorialDone] = useState(false);
  useEffect(() => setTutorialDone(hasFinishedTutorial()), []);
  const restartTutorial = (): void => {
    saveTutorialFinished(false);
    setTutorialDone(false);
  };
  return (
    <section class="section" aria-labelledby="keys-title">
      <h2 id="keys-title">How to play</h2>
      <p>
        On touch screens, use the buttons. Tap the arena to aim; tap yourself to aim at the opponent
        again. <a href="/guide/rules">The rules</a> explain every attack.
      </p>
      <ArenaLegend />
      <dl class="play-keys">
        {KEY_HELP.map(([keys, description]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      {isTutorialDone && (
        <p>
          <button type="button" class="duel-quiet" onClick={restartTutorial}>
            Show the tips again in my next match
          </button>
        </p>
      )}
    </section>
  );
}
