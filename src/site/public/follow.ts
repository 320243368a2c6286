// A bout that is being fought, followed to its end.
import { useEffect, useState } from "preact/hooks";

import type { Status } from "#core/resources/ladder.ts";

import type { RunningBout, ViewData } from "./data.ts";
import { getJson, pageAgain, startPolling } from "./poll.ts";
import { loadParts } from "./replay.tsx";

/** Bouts of quick bots last for seconds. */
const FOLLOW_MS = 1000;

type Followed = {
  tick: number;
  /** The server does not answer. */
  isLost: boolean;
};

/** Follows a running bout; once it is stored, `onData` gets what its page shows. */
export function useFollowed(
  { id, tick: first }: RunningBout,
  onData: (data: never) => void,
): Followed {
  const [tick, setTick] = useState(first);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    // What shows the replay is here by the time there is one.
    loadParts().catch(() => {});
    return startPolling<number | ViewData | null>({
      load: () => look(id),
      everyMs: FOLLOW_MS,
      onData: (news) => {
        setLost(false);
        if (typeof news === "number") setTick(news);
        else if (news !== null) onData(news as never);
      },
      onTrouble: () => setLost(true),
    });
  }, []);
  return { tick, isLost };
}

/** The tick of a running bout, or the data of its page; null between its end and its storing. */
async function look(id: string): Promise<number | ViewData | null> {
  const { value: status } = await getJson<Status>("/api/status");
  const running = status.matches.find((match) => match.id === id);
  if (running !== undefined) return running.tick;
  const data = await pageAgain<ViewData>();
  return data?.phase === "ended" ? data : null;
}
