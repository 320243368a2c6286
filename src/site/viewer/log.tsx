import { useEffect, useRef, useState } from "preact/hooks";

import type { FightEvent } from "#core/engine/types.ts";

import type { CastLine } from "./caster.ts";
import { failedTurns, turnWords } from "./fight-text.ts";
import type { Film, FilmTick } from "./film.ts";
import { eventWords } from "./words.ts";
import type { Names } from "./words.ts";

type LogProps = {
  film: Film;
  names: Names;
  lines: readonly CastLine[];
  /** The number of ticks about which anything is told. */
  told: number;
  /** The tick shown. */
  tick: number;
  onSeek: (tick: number) => void;
};

/** Everything that happened, tick by tick. A click seeks. */
export function EventLog({ film, names, lines, told, tick, onSeek }: LogProps) {
  const list = useRef<HTMLOListElement>(null);
  const [withRefusals, setWithRefusals] = useState(true);
  useEffect(() => scrollTo(list.current, tick), [tick, withRefusals]);
  const isShown = ({ type }: FightEvent): boolean => withRefusals || type !== "rejected";
  const failedIn = (one: FilmTick): string[] => (withRefusals ? failedTurns(film, names, one) : []);
  return (
    <>
      <label class="log-choice">
        <input
          type="checkbox"
          checked={withRefusals}
          onChange={(event) => setWithRefusals(event.currentTarget.checked)}
        />{" "}
        with refused parts and failed turns
      </label>
      <ol class="log" ref={list} tabIndex={0} aria-label="Events">
        {film.ticks
          .slice(0, told)
          .filter((one) => one.events.some(isShown) || failedIn(one).length > 0)
          .map((one) => (
            <li
              key={one.tick}
              data-tick={one.tick}
              class={one.tick === tick ? "now" : ""}
              aria-current={one.tick === tick ? "true" : undefined}
            >
              <button type="button" onClick={() => onSeek(one.tick + 1)}>
                <span class="visually-hidden">Go to tick </span>
                {one.tick}
              </button>
              <ul>
                {lines
                  .filter((line) => line.tick === one.tick)
                  .map((line) => (
                    <li key={line.text} class="cast">
                      {line.text}
                    </li>
                  ))}
                {failedIn(one).map((text) => (
                  <li key={text} class="refused">
                    {text}
                  </li>
                ))}
                {one.events.filter(isShown).map((event, index) => (
                  <li key={index} class={event.type === "rejected" ? "refused" : event.type}>
                    {eventWords(event, names)}
                  </li>
                ))}
              </ul>
            </li>
          ))}
      </ol>
    </>
  );
}

/** Scrolls only the list; the page stays where it is. */
function scrollTo(list: HTMLOListElement | null, tick: number): void {
  if (list === null) return;
  const items = [...list.querySelectorAll<HTMLElement>(":scope > li")];
  const item = items.findLast((one) => Number(one.dataset.tick) <= tick) ?? items[0];
  if (item !== undefined) list.scrollTop = item.offsetTop - list.clientHeight / 3;
}

/** Both turns of a tick as sent, with the server's measurements. */
export function TickPanel({ film, names, tick }: Pick<LogProps, "film" | "names" | "tick">) {
  const shown = film.ticks[tick];
  if (shown === undefined) return null;
  return (
    <details class="tick-panel" open>
      <summary>
        Both turns of tick <span class="tick-number">{tick}</span>
      </summary>
      <div class="turns">
        {film.replay.header.fighters.map(({ id }, seat) => (
          <div key={id} class="turn">
            <h3 class={`corner-${id.toLowerCase()}`}>{names[id] ?? id}</h3>
            <ul>
              {turnWords(shown.turns[seat]!).map((part) => (
                <li key={part}>{part}</li>
              ))}
            </ul>
            <p class="sub">
              {replyWords(shown.reply_ms[seat]!)}
              <br />
              {Math.round(shown.budget_ms[seat]! / 1000)} s of budget left
            </p>
          </div>
        ))}
      </div>
      <p class="sub">
        <a href={`#tick-${tick + 1}`}>Link to this tick</a>
      </p>
    </details>
  );
}

function replyWords(reply: number | null): string {
  return reply === null ? "no answer was timed" : `answered in ${reply.toFixed(1)} ms`;
}
