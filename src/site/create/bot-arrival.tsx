import { useEffect, useState } from "preact/hooks";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { Bot } from "#core/api/bot.ts";
import type { ServerStatus } from "#core/api/ladder.ts";
import { fetchJson, startPolling } from "#site/shell/poll.ts";
import { botPath, scopeQuery, matchPath } from "#site/ui/links.ts";
import { Bar } from "#site/ui/section.tsx";

import type { PracticeState } from "./practice.ts";
import {
  describeNextStep,
  newBotProgress,
  describeProgress,
  reachedPhases as reachedStages,
  ARRIVAL_PHASES,
} from "./progress.ts";
import type { NewBotProgress, ArrivalPhase } from "./progress.ts";

type BotArrivalProps = {
  name: string | null;
  /** ID of the bot's ladder. Defaults to the public ladder. */
  ladder: string | undefined;
  requiredGames: number;
  practice: PracticeState | null;
  /** Called with the bot's ID once the bot has connected. */
  onArrival: (botId: string) => void;
};

/** Shows a new bot's progress from connecting to getting a rank. Uses public data only. */
export function BotArrival({ name, ladder, requiredGames, practice, onArrival }: BotArrivalProps) {
  const [progress, setProgress] = useState<NewBotProgress | null>(null);
  const [isUnreachable, setUnreachable] = useState(false);
  const reached = progress === null ? [] : reachedStages(progress, practice);
  const connectedBotId = progress !== null && reached.length > 0 ? progress.id : null;
  useEffect(() => {
    if (name === null) return undefined;
    return startPolling({
      load: () => loadProgress(name, ladder),
      onData: (update) => {
        setUnreachable(false);
        setProgress(update);
      },
      onError: () => setUnreachable(true),
    });
  }, [name, ladder]);
  useEffect(() => {
    if (connectedBotId !== null) onArrival(connectedBotId);
  }, [connectedBotId]);
  return (
    <div class="arrival">
      <p class="arrival-now">
        {name === null ? "No bot yet" : arrivalHeadline(progress, practice, isUnreachable)}
      </p>
      {/* Screen readers announce each stage, but not every game. */}
      <p class="visually-hidden" role="status">
        {connectedBotId !== null &&
          describePhase(assertDefined(reached.at(-1), "stage"), progress, requiredGames)}
      </p>
      <p class="sub arrival-next">
        {name === null
          ? "Register a name to see your bot's progress here."
          : progress !== null && describeNextStep(progress, practice)}
      </p>
      <ol class="milestones">
        {ARRIVAL_PHASES.map((phase) => (
          <PhaseLine
            key={phase}
            isReached={reached.includes(phase)}
            {...{ phase, progress, requiredGames }}
          />
        ))}
      </ol>
      {name !== null && <ArrivalLinks {...{ name, ladder, progress }} />}
    </div>
  );
}

function arrivalHeadline(
  progress: NewBotProgress | null,
  practice: PracticeState | null,
  isUnreachable: boolean,
): string {
  if (isUnreachable) return "The server isn't responding; retrying";
  return progress === null ? "Not connected yet" : describeProgress(progress, practice);
}

async function loadProgress(name: string, ladder: string | undefined): Promise<NewBotProgress> {
  const path = encodeURIComponent(name);
  const [bot, status] = await Promise.all([
    fetchJson<Bot>(`/api/bots/${path}${scopeQuery({ ladder })}`),
    fetchJson<ServerStatus>(`/api/status?bot=${path}`),
  ]);
  return newBotProgress(bot.value, status.value);
}

type PhaseLineProps = {
  phase: ArrivalPhase;
  isReached: boolean;
  progress: NewBotProgress | null;
  requiredGames: number;
};

function PhaseLine({ phase, isReached, progress, requiredGames }: PhaseLineProps) {
  const countedGames = Math.min(progress?.games ?? 0, requiredGames);
  return (
    <li class={isReached ? "milestone reached" : "milestone"}>
      <span class="milestone-words">
        {describePhase(phase, isReached ? progress : null, requiredGames)}
        <span class="visually-hidden">{isReached ? ": done" : ": not yet"}</span>
      </span>
      {phase === "ranked" && (
        <span class="milestone-games">
          <Bar
            value={countedGames}
            max={requiredGames}
            label={`${countedGames} of ${requiredGames} games`}
            tone="gold"
          />
          <span class="sub">
            {countedGames} of {requiredGames}
          </span>
        </span>
      )}
    </li>
  );
}

/** `progress` is null for stages the bot hasn't reached. */
function describePhase(
  phase: ArrivalPhase,
  progress: NewBotProgress | null,
  requiredGames: number,
): string {
  const phaseTexts: Record<ArrivalPhase, string> = {
    connected: "Connected",
    queued: progress?.version ? `Queued with ${progress.version}` : "In queue",
    practised: "Practice game",
    played: "First rated game",
    ranked: progress?.rank ? `Rank ${progress.rank}` : `Ranked, after ${requiredGames} rated games`,
  };
  return phaseTexts[phase];
}

type ArrivalLinksProps = Pick<BotArrivalProps, "ladder"> & {
  name: string;
  progress: NewBotProgress | null;
};

function ArrivalLinks({ name, ladder, progress }: ArrivalLinksProps) {
  return (
    <p class="actions">
      <a class="button quiet" href={botPath(name, { ladder })}>
        Bot page
      </a>
      {progress?.newestMatchId && (
        <a class="button quiet" href={matchPath(progress.newestMatchId)}>
          Latest match
        </a>
      )}
    </p>
  );
}
