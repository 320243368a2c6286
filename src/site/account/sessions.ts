// What the account's bots do at this moment, by what everybody can see of them.

import { useEffect, useState } from "preact/hooks";

import type { AccountBot } from "#core/resources/account.ts";
import type { Status } from "#core/resources/ladder.ts";
import { getJson, startPolling } from "#site/public/poll.ts";

const LOOK_EVERY_MS = 3000;

/** Null until the ladder has said it. */
type Sessions = ReadonlyMap<string, Status>;

/** By the names of the bots that may play. */
export function useSessions(bots: readonly AccountBot[]): Sessions | null {
  const [sessions, setSessions] = useState<Sessions | null>(null);
  const names = bots.filter(({ status }) => status === "active").map(({ name }) => name);
  useEffect(() => {
    if (names.length === 0) return undefined;
    const load = () => look(names);
    void load().then(setSessions, () => {});
    return startPolling({
      load,
      everyMs: LOOK_EVERY_MS,
      onData: setSessions,
      onTrouble: () => {},
    });
  }, [names.join(" ")]);
  return sessions;
}

async function look(names: readonly string[]): Promise<Sessions> {
  const found = names.map(async (name): Promise<[string, Status]> => {
    const { value } = await getJson<Status>(`/api/status?bot=${encodeURIComponent(name)}`);
    return [name, value];
  });
  return new Map(await Promise.all(found));
}
