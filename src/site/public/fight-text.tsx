import { useState } from "preact/hooks";

import { fightText, startText } from "#site/viewer/fight-text.ts";
import type { TickText } from "#site/viewer/fight-text.ts";
import type { Film } from "#site/viewer/film.ts";
import type { Names } from "#site/viewer/words.ts";

/** The whole bout as text, made when it is asked for. */
export function FightText({ film, names }: { film: Film; names: Names }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="fight-text after-result"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>The whole bout as text</summary>
      {isOpen && (
        <>
          <p>At the start: {startText(film, names)}.</p>
          <ol>
            {fightText(film, names).map((tick) => (
              <Tick key={tick.tick} {...tick} />
            ))}
          </ol>
        </>
      )}
    </details>
  );
}

function Tick({ tick, turns, events, state }: TickText) {
  return (
    <li>
      <p>
        <strong>Tick {tick}</strong> {turns.join(". ")}.
      </p>
      {events.length > 0 && <p>{events.join(". ")}.</p>}
      {state !== null && <p class="sub">{state}.</p>}
    </li>
  );
}
