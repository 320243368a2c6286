import { useRef } from "preact/hooks";

import { SECOND_MS } from "#base/units/time.ts";
import type { HealthView } from "#core/operator/health.ts";
import { Fact, Facts } from "#site/admin/facts.tsx";
import { Moment } from "#site/admin/moment.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Section } from "#site/look/parts.tsx";

import { figureWords, msWords, spanWords, wholeWords } from "./figure-words.ts";
import { HealthPlots } from "./health-plots.tsx";
import { Queues } from "./health-queues.tsx";
import { Timings } from "./health-timings.tsx";
import { noted } from "./history.ts";
import type { HealthHistory } from "./history.ts";
import { percent, verdictOn } from "./verdict.ts";
import type { HealthVerdict } from "./verdict.ts";

const EVERY_S = 5;

/** How the server does, while somebody looks. */
export function Health({ desk }: PartProps) {
  const read = useRead<HealthView>(desk, "/api/admin/health", EVERY_S * SECOND_MS);
  const past = useRef<HealthHistory>([]);
  if (read.value !== null) past.current = noted(past.current, read.value);
  return (
    <Readable read={read}>
      {(view) => (
        <>
          <Judged {...verdictOn(view)} isAway={read.trouble !== null} />
          <p class="sub health-asked">
            Over the latest {view.window_seconds} s, at <Moment at={view.generated} form="second" />
            . The server is asked every {EVERY_S} s while you look, and less often while it is away.
          </p>
          <Now {...view} />
          <Queues {...view} />
          <Section id="health-plots" title="Since you opened this page">
            <HealthPlots history={past.current} />
          </Section>
          <Timings {...view} />
          <Played {...view} />
        </>
      )}
    </Readable>
  );
}

const HEADS: Readonly<Record<HealthVerdict["state"], string>> = {
  well: "The server keeps up.",
  ill: "The server does not keep up.",
  quiet: "Nothing has been timed yet.",
};

/** Read out when it changes, and not at each look. */
function Judged({ state, troubles, notes, isAway }: HealthVerdict & { isAway: boolean }) {
  return (
    <div class={`notice health-verdict ${state}`} role="status">
      <p class="health-verdict-head">
        <span class={isAway ? "health-dot away" : "health-dot"} aria-hidden="true" />
        {isAway ? `As it was when it last answered: ${HEADS[state].toLowerCase()}` : HEADS[state]}
      </p>
      {troubles.length + notes.length > 0 && (
        <ul>
          {[...troubles, ...notes].map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Now({ capacity, uptime_seconds, turns, games }: HealthView) {
  const all = turns.valid + turns.invalid + turns.timeouts + turns.disconnected;
  return (
    <Facts>
      <Fact title="Bouts now">
        {wholeWords(capacity.running)} of {wholeWords(capacity.max)}
      </Fact>
      <Fact title="Turns that were valid">{percent(turns.valid, all)}</Fact>
      <Fact title="Games fought out">{wholeWords(games.count)}</Fact>
      <Fact title="Up for">{spanWords(uptime_seconds)}</Fact>
    </Facts>
  );
}

function Played({ turns, sends, games, tick_ms }: HealthView) {
  return (
    <>
      <Section id="health-turns" title="Turns of ranked games">
        <Facts>
          <Fact title="Valid">{wholeWords(turns.valid)}</Fact>
          <Fact title="Invalid">{wholeWords(turns.invalid)}</Fact>
          <Fact title="Too late">{wholeWords(turns.timeouts)}</Fact>
          <Fact title="Bot was away">{wholeWords(turns.disconnected)}</Fact>
        </Facts>
      </Section>
      <Section
        id="health-games"
        title="Ranked games"
        note={`Fought out. A tick lasts ${tick_ms} ms at most.`}
      >
        <Facts>
          <Fact title="Turns">{figureWords(games.mean_turns)}</Fact>
          <Fact title="Moves">{figureWords(games.mean_moves)}</Fact>
          <Fact title="Dashes">{figureWords(games.mean_dashes)}</Fact>
          <Fact title="Took">{secondsWords(games.mean_duration_ms)}</Fact>
          <Fact title="Longest took">{secondsWords(games.max_duration_ms)}</Fact>
          <Fact title="A turn took">{msWords(games.ms_per_turn)}</Fact>
        </Facts>
      </Section>
      <Section id="health-sends" title="Messages to bots">
        <Facts>
          <Fact title="Sent">{wholeWords(sends.total)}</Fact>
          <Fact title="Behind others">{percent(sends.backpressured, sends.total)}</Fact>
          <Fact title="Most waiting">{wholeWords(sends.max_buffered_bytes)} bytes</Fact>
        </Facts>
      </Section>
    </>
  );
}

const secondsWords = (ms: number | null): string =>
  figureWords(ms === null ? null : ms / SECOND_MS, "s");
