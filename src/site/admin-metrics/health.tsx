import { useRef } from "preact/hooks";

import { SECOND_MS } from "#base/util/time.ts";
import type { HealthView } from "#core/api/server-health.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTime } from "#site/admin/admin-time.tsx";
import { Fact, FactList } from "#site/admin/fact-list.tsx";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";
import { Section } from "#site/ui/section.tsx";

import { appendHealth } from "./health-history.ts";
import type { HealthHistory } from "./health-history.ts";
import { HealthPlots } from "./health-plots.tsx";
import { QueuesTable } from "./health-queues.tsx";
import { TimingsTable } from "./health-timings.tsx";
import { formatPercent, assessHealth } from "./health-verdict.ts";
import type { HealthVerdict } from "./health-verdict.ts";
import { formatMetric, formatMilliseconds, formatDuration, formatWhole } from "./metric-format.ts";

const POLL_INTERVAL_S = 5;

export function HealthPanel({ auth }: AdminPanelProps) {
  const resource = useResource<HealthView>(auth, "/api/admin/health", POLL_INTERVAL_S * SECOND_MS);
  const history = useRef<HealthHistory>([]);
  if (resource.value !== null) history.current = appendHealth(history.current, resource.value);
  return (
    <ResourceView resource={resource}>
      {(view) => (
        <>
          <HealthVerdictNotice {...assessHealth(view)} isUnavailable={resource.error !== null} />
          <p class="sub health-asked">
            Last {view.window_seconds} s, as of{" "}
            <AdminTime instant={view.generated} precision="second" />. Refreshes every{" "}
            {POLL_INTERVAL_S} s while this page is open, and less often while the server is down.
          </p>
          <CurrentHealth {...view} />
          <QueuesTable {...view} />
          <Section id="health-plots" title="Since you opened this page">
            <HealthPlots history={history.current} />
          </Section>
          <TimingsTable {...view} />
          <RankedGamesHealth {...view} />
        </>
      )}
    </ResourceView>
  );
}

const VERDICT_TITLES: Readonly<Record<HealthVerdict["state"], string>> = {
  well: "The server is keeping up.",
  ill: "The server is overloaded.",
  quiet: "No data yet.",
};

/** Announces the verdict to screen readers only when the verdict changes. */
function HealthVerdictNotice({
  state,
  problems,
  notes,
  isUnavailable,
}: HealthVerdict & { isUnavailable: boolean }) {
  return (
    <div class={`notice health-verdict ${state}`} role="status">
      <p class="health-verdict-head">
        <span class={isUnavailable ? "health-dot away" : "health-dot"} aria-hidden="true" />
        {isUnavailable
          ? `Last known state: ${VERDICT_TITLES[state].toLowerCase()}`
          : VERDICT_TITLES[state]}
      </p>
      {problems.length + notes.length > 0 && (
        <ul>
          {[...problems, ...notes].map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function CurrentHealth({ capacity, uptime_seconds, turns, games }: HealthView) {
  const allTurns = turns.valid + turns.invalid + turns.timeouts + turns.disconnected;
  return (
    <FactList>
      <Fact title="Matches now">
        {formatWhole(capacity.running)} of {formatWhole(capacity.max)}
      </Fact>
      <Fact title="Valid turns">{formatPercent(turns.valid, allTurns)}</Fact>
      <Fact title="Completed games">{formatWhole(games.count)}</Fact>
      <Fact title="Uptime">{formatDuration(uptime_seconds)}</Fact>
    </FactList>
  );
}

function RankedGamesHealth({ turns, sends, games, tick_ms }: HealthView) {
  return (
    <>
      <Section id="health-turns" title="Turns in ranked games">
        <FactList>
          <Fact title="Valid">{formatWhole(turns.valid)}</Fact>
          <Fact title="Invalid">{formatWhole(turns.invalid)}</Fact>
          <Fact title="Timed out">{formatWhole(turns.timeouts)}</Fact>
          <Fact title="Disconnected">{formatWhole(turns.disconnected)}</Fact>
        </FactList>
      </Section>
      <Section
        id="health-games"
        title="Ranked games"
        note={`Completed games. A tick lasts up to ${tick_ms} ms.`}
      >
        <FactList>
          <Fact title="Turns">{formatMetric(games.mean_turns)}</Fact>
          <Fact title="Moves">{formatMetric(games.mean_moves)}</Fact>
          <Fact title="Dashes">{formatMetric(games.mean_dashes)}</Fact>
          <Fact title="Duration">{formatSeconds(games.mean_duration_ms)}</Fact>
          <Fact title="Longest">{formatSeconds(games.max_duration_ms)}</Fact>
          <Fact title="Time per turn">{formatMilliseconds(games.ms_per_turn)}</Fact>
        </FactList>
      </Section>
      <Section id="health-sends" title="Messages to bots">
        <FactList>
          <Fact title="Sent">{formatWhole(sends.total)}</Fact>
          <Fact title="Queued behind others">
            {formatPercent(sends.backpressured, sends.total)}
          </Fact>
          <Fact title="Largest buffer">{formatWhole(sends.max_buffered_bytes)} bytes</Fact>
        </FactList>
      </Section>
    </>
  );
}

const formatSeconds = (ms: number | null): string =>
  formatMetric(ms === null ? null : ms / SECOND_MS, "s");
