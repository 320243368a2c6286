import type { FunctionComponent } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { Avatar } from "#site/avatars/avatar.tsx";

import type { PlayData } from "./data.ts";
import type { FightProps } from "./fight.tsx";
import { Legend } from "./legend.tsx";
import { beaten, isTaught, noteTaught } from "./memory.ts";
import { opponentsAmong } from "./opponents.ts";
import type { Opponent } from "./opponents.ts";

type Chosen = { opponent: Opponent; number: number };

/** A person chooses an opponent and fights it. The fight's own code is loaded only then. */
export function PlayPage({ data: { play, tick_ms, asked } }: { data: PlayData }) {
  const opponents = opponentsAmong(play?.opponents ?? []);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [Fight, setFight] = useState<FunctionComponent<FightProps> | null>(null);
  const [isBroken, setBroken] = useState(false);
  const [hasFought, setFought] = useState(false);
  const onFight = (opponent: Opponent): void => {
    setChosen((last) => ({ opponent, number: (last?.number ?? 0) + 1 }));
    import("./fight.tsx").then(
      (loaded) => setFight(() => loaded.Fight),
      () => setBroken(true),
    );
  };
  if (chosen === null || isBroken)
    return (
      <Lobby
        opponents={opponents}
        isOn={play !== null}
        isBroken={isBroken}
        tickMs={tick_ms}
        asked={asked}
        isBack={hasFought}
        onFight={onFight}
      />
    );
  if (Fight === null) return <p class="duel-wait">Entering the ring…</p>;
  const { opponent, number } = chosen;
  const stronger = opponents[opponents.indexOf(opponent) + 1] ?? null;
  return (
    <Fight
      key={number}
      opponent={opponent}
      stronger={stronger}
      onFight={onFight}
      onLeave={() => {
        setChosen(null);
        setFought(true);
      }}
    />
  );
}

type LobbyProps = {
  opponents: readonly Opponent[];
  isOn: boolean;
  isBroken: boolean;
  tickMs: number;
  asked: string | null;
  /** Whether its reader comes out of a fight. */
  isBack: boolean;
  onFight: (opponent: Opponent) => void;
};

function Lobby({ opponents, isOn, isBroken, tickMs, asked, isBack, onFight }: LobbyProps) {
  const title = useRef<HTMLHeadingElement>(null);
  // What had the focus is gone with the fight.
  useLayoutEffect(() => {
    if (isBack) title.current?.focus();
  }, []);
  return (
    <div class="play">
      <h1 ref={title} tabIndex={-1}>
        Fight a house bot
      </h1>
      <p class="lead">
        Both of you choose a step and an attack at the same time, a tick every{" "}
        {(tickMs / 1000).toString()} seconds. The last one standing wins. Nothing is rated.
      </p>
      {isBroken && (
        <p class="notice bad" role="alert">
          The ring could not be loaded. The server may have been updated:{" "}
          <a href="/play">load the page again</a>.
        </p>
      )}
      {opponents.length === 0 ? (
        <Closed isOn={isOn} />
      ) : (
        <>
          <noscript>
            <p class="notice">
              Fights on this page need JavaScript. Without it, <code>bout play</code> is a fight in
              a terminal, and the <a href="/guide">guides</a> show how to write a bot.
            </p>
          </noscript>
          <Opponents opponents={opponents} asked={asked} onFight={onFight} />
          <HowTo />
        </>
      )}
    </div>
  );
}

function Closed({ isOn }: { isOn: boolean }) {
  return (
    <p class="notice">
      {isOn
        ? "No house bot is enabled on this ladder, so there is nobody to fight."
        : "The operator of this ladder has turned fights for people off."}{" "}
      With a copy of the project, <code>bout play</code> is a fight in your terminal, as the{" "}
      <a href="/guide/cli">guide to the commands</a> shows.
    </p>
  );
}

type OpponentsProps = Pick<LobbyProps, "opponents" | "asked" | "onFight">;

function Opponents({ opponents, asked, onFight }: OpponentsProps) {
  const [won, setWon] = useState<readonly string[]>([]);
  useEffect(() => setWon(beaten()), []);
  return (
    <ul class="play-opponents">
      {opponents.map((opponent) => {
        const { short, name, display, difficulty, about } = opponent;
        return (
          <li key={short} class={`play-card ${asked === short ? "asked" : ""}`}>
            <span class="play-face">
              <Avatar name={name} house />
            </span>
            <h2>{display}</h2>
            <p class="play-strength">{difficulty}</p>
            <p class="sub">{about}</p>
            <p class="sub play-won">{won.includes(short) ? "You have beaten it." : "\u00a0"}</p>
            <button
              type="button"
              class="button"
              aria-label={`Fight ${display}, ${difficulty}`}
              onClick={() => onFight(opponent)}
            >
              Fight
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const KEYS: readonly [keys: string, does: string][] = [
  ["W A S D, Q E Z C, arrows or number pad", "step in one of eight directions, while held"],
  ["Shift", "with a step: dash three tiles"],
  ["1 strike, 2 bolt, 3 hook, 4 repulse, 5 blast, 6 scorch", "attack; again takes it back"],
  ["U I O, J K L, M and the full stop", "move the aim by a tile"],
  ["H", "aim at the opponent again"],
];

function HowTo() {
  const [isKnown, setKnown] = useState(false);
  useEffect(() => setKnown(isTaught()), []);
  const again = (): void => {
    noteTaught(false);
    setKnown(false);
  };
  return (
    <section class="section" aria-labelledby="keys-title">
      <h2 id="keys-title">How to play</h2>
      <p>
        On a touch screen there are buttons for all of it. A tap on the arena aims, a tap on
        yourself aims at the opponent again. <a href="/guide/rules">The rules</a> say what every
        attack does.
      </p>
      <Legend />
      <dl class="play-keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      {isKnown && (
        <p>
          <button type="button" class="duel-quiet" onClick={again}>
            Show the tips again in my next fight
          </button>
        </p>
      )}
    </section>
  );
}
