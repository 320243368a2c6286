import { useEffect, useRef, useState } from "preact/hooks";

import type { FightEvent } from "#core/engine/types.ts";

import type { CommentaryLine } from "./commentary.ts";
import { describeEvent } from "./match-texts.ts";
import type { NamesByFighter } from "./match-texts.ts";
import { describeFailedTurnsIn, describeTurnParts } from "./match-transcript.ts";
import type { SimulatedReplay, SimulatedTick } from "./simulated-replay.ts";

type LogProps = {
  simulation: SimulatedReplay;
  names: NamesByFighter;
  lines: readonly CommentaryLine[];
  revealedUntil: number;
  tick: number;
  onSeek: (tick: number) => void;
};

export function ViewerEventLog({
  simulation,
  names,
  lines,
  revealedUntil,
  tick,
  onSeek,
}: LogProps) {
  const list = useRef<HTMLOListElement>(null);
  const [showsRefusals, setShowsRefusals] = useState(true);
  useEffect(() => scrollListTo(list.current, tick), [tick, showsRefusals]);
  const isVisible = ({ type }: FightEvent): boolean => showsRefusals || type !== "rejected";
  const failuresIn = (logTick: SimulatedTick): string[] =>
    showsRefusals ? describeFailedTurnsIn(simulation, names, logTick) : [];
  return (
    <>
      <label class="log-choice">
        <input
          type="checkbox"
          checked={showsRefusals}
          onChange={(event) => setShowsRefusals(event.currentTarget.checked)}
        />{" "}
        show rejected actions and failed turns
      </label>
      <ol class="log" ref={list} tabIndex={0} aria-label="Events">
        {simulation.ticks
          .slice(0, revealedUntil)
          .filter((logTick) => logTick.events.some(isVisible) || failuresIn(logTick).length > 0)
          .map((logTick) => (
            <li
              key={logTick.tick}
              data-tick={logTick.tick}
              class={logTick.tick === tick ? "now" : ""}
              aria-current={logTick.tick === tick ? "true" : undefined}
            >
              <button type="button" onClick={() => onSeek(logTick.tick + 1)}>
                <span class="visually-hidden">Go to tick </span>
                {logTick.tick}
              </button>
              <ul>
                {lines
                  .filter((line) => line.tick === logTick.tick)
                  .map((line) => (
                    <li key={line.text} class="cast">
                      {line.text}
                    </li>
                  ))}
                {failuresIn(logTick).map((text) => (
                  <li key={text} class="refused">
                    {text}
                  </li>
                ))}
                {logTick.events.filter(isVisible).map((event, index) => (
                  <li key={index} class={event.type === "rejected" ? "refused" : event.type}>
                    {describeEvent(event, names)}
                  </li>
                ))}
              </ul>
            </li>
          ))}
      </ol>
    </>
  );
}

function scrollListTo(list: HTMLOListElement | null, tick: number): void {
  if (list === null) return;
  const listItems = [...list.querySelectorAll<HTMLElement>(":scope > li")];
  const targetItem =
    listItems.findLast((listItem) => Number(listItem.dataset.tick) <= tick) ?? listItems[0];
  if (targetItem !== undefined) list.scrollTop = targetItem.offsetTop - list.clientHeight / 3;
}

/** Shows both of a tick's turns as sent, with response times and remaining budgets. */
export function TickPanel({
  simulation,
  names,
  tick,
}: Pick<LogProps, "simulation" | "names" | "tick">) {
  const shownTick = simulation.ticks[tick];
  if (shownTick === undefined) return null;
  return (
    <details class="tick-panel" open>
      <summary>
        Both turns of tick <span class="tick-number">{tick}</span>
      </summary>
      <div class="turns">
        {simulation.replay.header.fighters.map(({ id }, seat) => (
          <div key={id} class="turn">
            <h3 class={`corner-${id.toLowerCase()}`}>{names[id] ?? id}</h3>
            <ul>
              {describeTurnParts(shownTick.turns[seat]!).map((part) => (
                <li key={part}>{part}</li>
              ))}
            </ul>
            <p class="sub">
              {describeReply(shownTick.reply_ms[seat]!)}
              <br />
              {Math.round(shownTick.budget_ms[seat]! / 1000)} s of budget left
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

function describeReply(reply: number | null): string {
  return reply === null ? "no response time" : `responded in ${reply.toFixed(1)} ms`;
}
