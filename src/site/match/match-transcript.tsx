import { useState } from "preact/hooks";

import type { NamesByFighter } from "#site/viewer/match-texts.ts";
import { matchTranscript, initialStateText } from "#site/viewer/match-transcript.ts";
import type { TranscriptTickText } from "#site/viewer/match-transcript.ts";
import type { SimulatedReplay } from "#site/viewer/simulated-replay.ts";

/** Renders the transcript only once the visitor opens it. */
export function MatchTranscript({
  simulation,
  names,
}: {
  simulation: SimulatedReplay;
  names: NamesByFighter;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="fight-text after-result"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Match transcript</summary>
      {isOpen && (
        <>
          <p>At the start: {initialStateText(simulation, names)}.</p>
          <ol>
            {matchTranscript(simulation, names).map((tick) => (
              <TranscriptTick key={tick.tick} {...tick} />
            ))}
          </ol>
        </>
      )}
    </details>
  );
}

function TranscriptTick({ tick, turns, events, state }: TranscriptTickText) {
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
