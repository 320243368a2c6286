import { useEffect, useState } from "preact/hooks";

import type { Ladder } from "#core/resources/ladder-results.ts";
import { getJson, pageAgain, startPolling } from "#site/public/poll.ts";

import type { LadderData } from "./data.ts";

/** A ladder opens and closes at the second. */
const LOOK_EVERY_MS = 4000;

/** The page of a ladder with a window: that of its next phase, once it is there. */
export function usePhase(first: LadderData): LadderData {
  const [data, setData] = useState(first);
  const { id, phase, opens_at, closes_at } = data.ladder;
  const changes = phase !== "closed" && (opens_at ?? closes_at) !== null;
  useEffect(() => {
    if (!changes) return undefined;
    const load = async () => {
      const { value } = await getJson<Ladder[]>(`/api/ladders?ladder=${id}`);
      const now = value.find((one) => one.id === id);
      return now === undefined || now.phase === phase ? null : pageAgain<LadderData>();
    };
    return startPolling({
      load,
      everyMs: LOOK_EVERY_MS,
      onData: (news) => news !== null && setData(news),
      onTrouble: () => {},
    });
  }, [id, phase]);
  return data;
}
