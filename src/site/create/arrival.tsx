import { useEffect, useState } from "preact/hooks";

import { sure } from "#base/units/sure.ts";
import type { Bot } from "#core/resources/bot.ts";
import type { Status } from "#core/resources/ladder.ts";
import { botPath, inScope, matchPath } from "#site/look/links.ts";
import { Bar } from "#site/look/parts.tsx";
import { getJson, startPolling } from "#site/public/poll.ts";

import type { Practising } from "./practice.ts";
import { nextWords, progressOf, progressWords, reachedStages, STAGES } from "./progress.ts";
import type { NewBotProgress, ArrivalStage } from "./progress.ts";

type ArrivalProps = {
  /** Null until a bot is registered. */
  name: string | null;
  /** The ladder that it is for; the public one if it is absent. */
  ladder: string | undefined;
  needed: number;
  practising: Practising | null;
  /** Called with the id of the bot once it has connected. */
  onArrival: (botId: string) => void;
};

/** Follows a new bot from its first connection to its rank, by what everybody can see of it. */
export function Arrival({ name, ladder, needed, practising, onArrival }: ArrivalProps) {
  const [progress, setProgress] = useState<NewBotProgress | null>(null);
  const [isLost, setLost] = useState(false);
  const reached = progress === null ? [] : reachedStages(progress, practising);
  const arrivedId = progress !== null && reached.length > 0 ? progress.id : null;
  useEffect(() => {
    if (name === null) return undefined;
    return startPolling({
      load: () => look(name, ladder),
      onData: (news) => {
        setLost(false);
        setProgress(news);
      },
      onTrouble: () => setLost(true),
    });
  }, [name, ladder]);
  useEffect(() => {
    if (arrivedId !== null) onArrival(arrivedId);
  }, [arrivedId]);
  return (
    <div class="arrival">
      <p class="arrival-now">
        {name === null ? "Nothing to watch yet" : headline(progress, practising, isLost)}
      </p>
      {/* Screen readers hear of each stage, and not of every game. */}
      <p class="visually-hidden" role="status">
        {arrivedId !== null && stageWords(sure(reached.at(-1), "stage"), progress, needed)}
      </p>
      <p class="sub arrival-next">
        {name === null
          ? "As soon as a name is registered, this list follows its bot."
          : progress !== null && nextWords(progress, practising)}
      </p>
      <ol class="milestones">
        {STAGES.map((stage) => (
          <StageLine
            key={stage}
            isReached={reached.includes(stage)}
            {...{ stage, progress, needed }}
          />
        ))}
      </ol>
      {name !== null && <Ways {...{ name, ladder, progress }} />}
    </div>
  );
}

function headline(
  progress: NewBotProgress | null,
  practising: Practising | null,
  isLost: boolean,
): string {
  if (isLost) return "The server does not answer; trying again";
  return progress === null ? "Not connected yet" : progressWords(progress, practising);
}

async function look(name: string, ladder: string | undefined): Promise<NewBotProgress> {
  const path = encodeURIComponent(name);
  const [bot, status] = await Promise.all([
    getJson<Bot>(`/api/bots/${path}${inScope({ ladder })}`),
    getJson<Status>(`/api/status?bot=${path}`),
  ]);
  return progressOf(bot.value, status.value);
}

type StageLineProps = {
  stage: ArrivalStage;
  isReached: boolean;
  progress: NewBotProgress | null;
  needed: number;
};

function StageLine({ stage, isReached, progress, needed }: StageLineProps) {
  const counted = Math.min(progress?.games ?? 0, needed);
  return (
    <li class={isReached ? "milestone reached" : "milestone"}>
      <span class="milestone-words">
        {stageWords(stage, isReached ? progress : null, needed)}
        <span class="visually-hidden">{isReached ? ": done" : ": not yet"}</span>
      </span>
      {stage === "ranked" && (
        <span class="milestone-games">
          <Bar value={counted} max={needed} label={`${counted} of ${needed} games`} tone="gold" />
          <span class="sub">
            {counted} of {needed}
          </span>
        </span>
      )}
    </li>
  );
}

/** `progress` is null for a stage that is still ahead. */
function stageWords(stage: ArrivalStage, progress: NewBotProgress | null, needed: number): string {
  const words: Record<ArrivalStage, string> = {
    connected: "Connected",
    queued: progress?.version ? `Queued with ${progress.version}` : "In the queue",
    practised: "Practice game",
    played: "First rated game",
    ranked: progress?.rank ? `Rank ${progress.rank}` : `Ranked, after ${needed} rated games`,
  };
  return words[stage];
}

type WaysProps = Pick<ArrivalProps, "ladder"> & { name: string; progress: NewBotProgress | null };

function Ways({ name, ladder, progress }: WaysProps) {
  return (
    <p class="actions">
      <a class="button quiet" href={botPath(name, { ladder })}>
        Its page
      </a>
      {progress?.newest && (
        <a class="button quiet" href={matchPath(progress.newest)}>
          Its newest game
        </a>
      )}
    </p>
  );
}
