// Polls the public status API for the current activity of the account's bots.

import { useEffect, useState } from "preact/hooks";

import type { AccountBot } from "#core/api/account.ts";
import type { ServerStatus } from "#core/api/ladder.ts";
import { fetchJson, startPolling } from "#site/shell/poll.ts";

const POLL_INTERVAL_MS = 3000;

type BotSessions = ReadonlyMap<string, ServerStatus>;

/** Returns the status of each active bot by name, or null until loaded. */
export function useBotSessions(bots: readonly AccountBot[]): BotSessions | null {
  const [sessions, setSessions] = useState<BotSessions | null>(null);
  const names = bots.filter(({ status }) => status === "active").map(({ name }) => name);
  useEffect(() => {
    if (names.length === 0) return undefined;
    const loadAll = () => loadSessions(names);
    void loadAll().then(setSessions, () => {});
    return startPolling({
      load: loadAll,
      intervalMs: POLL_INTERVAL_MS,
      onData: setSessions,
      onError: () => {},
    });
  }, [names.join(" ")]);
  return sessions;
}

async function loadSessions(names: readonly string[]): Promise<BotSessions> {
  const sessionEntries = names.map(async (name): Promise<[string, ServerStatus]> => {
    const { value } = await fetchJson<ServerStatus>(`/api/status?bot=${encodeURIComponent(name)}`);
    return [name, value];
  });
  return new Map(await Promise.all(sessionEntries));
}
