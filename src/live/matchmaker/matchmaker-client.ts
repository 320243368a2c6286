import { openThread, SMALL_HEAP } from "#base/threads/thread.ts";

import type { Competitions } from "./competition.ts";
import { handleMatchmakerRequest } from "./matchmaker-requests.ts";
import type { MatchmakerRequest } from "./matchmaker-requests.ts";
import type { Matchmaker } from "./matchmaker.ts";

/** The response type depends on the request, which messages between threads can't express. */
type SendRequest = <T>(request: MatchmakerRequest) => Promise<T>;

function matchmakerOver(send: SendRequest, close: () => Promise<void>): Matchmaker {
  return {
    load: (history) => send({ kind: "load", history }),
    rate: (match) => send({ kind: "rate", match }),
    unrate: (match) => send({ kind: "unrate", match }),
    pair: (requests) => send({ kind: "pair", requests }),
    board: (competition) => send({ kind: "board", competition }),
    finalBoard: (competition) => send({ kind: "settle", competition }),
    compare: (competition, versions) => send({ kind: "compare", competition, versions }),
    drop: (competition) => send({ kind: "forget", competition }),
    close,
  };
}

/** Returns a matchmaker that runs on the current thread, for tests. */
export function localMatchmaker(): Matchmaker {
  const competitions: Competitions = new Map();
  return matchmakerOver(
    async <T>(request: MatchmakerRequest) => handleMatchmakerRequest(competitions, request) as T,
    async () => {},
  );
}

export function openMatchmaker(): Matchmaker {
  // Only this thread has the matchmaker's state, so the process must exit if it dies.
  const thread = openThread(new URL("./matchmaker-worker.ts", import.meta.url), {
    name: "matchmaker",
    resourceLimits: SMALL_HEAP,
    restarts: false,
  });
  return matchmakerOver(
    (request) => thread.ask(request),
    async () => void (await thread.close()),
  );
}
