// Requests a practice match for a new bot, follows the match and describes its state.

import type { ErrorBody } from "#core/api/common-schemas.ts";
import type { Practice, PracticeResult } from "#core/api/practice.ts";

export type PracticeState =
  | { at: "asking" }
  /** The bot plays on a ladder without practice matches, so the page didn't request one. */
  | { at: "elsewhere" }
  | { at: "away" }
  /**
   * An earlier match is still pending, because its response was lost or another client requested
   * it.
   */
  | { at: "held up" }
  | { at: "waiting" }
  | { at: "playing"; matchId: string }
  | { at: "done"; matchId: string; result: PracticeResult }
  /** The bot didn't connect. The page stops requesting matches. */
  | { at: "lapsed" }
  | { at: "unavailable" }
  | { at: "refused"; text: string };

/** The server's response, or null if it can't be parsed. */
export type PracticeResponse = { status: number; body: Practice | ErrorBody } | null;

export type PracticeClient = {
  /** Requests a practice match. With an ID, polls that match instead. */
  request: (id: string | null) => Promise<PracticeResponse>;
  wait: (ms: number) => Promise<void>;
  setPractice: (practice: PracticeState) => void;
};

/** Must be short: a bot that queues just after a request expired must find the next request. */
const POLL_INTERVAL_MS = 1000;
const [ACCEPTED, OK, NOT_FOUND, TOO_MANY] = [202, 200, 404, 429];

/**
 * Requests a practice match until one is played, up to `maxRequests` times. A request expires after
 * a minute, which can be too short to download and start a program.
 */
export async function runPractice(client: PracticeClient, maxRequests: number): Promise<void> {
  for (let remaining = maxRequests; remaining > 0; remaining -= 1) {
    const id = await requestPractice(client);
    if (id === null || (await followPractice(id, client)) === "over") return;
  }
  client.setPractice({ at: "lapsed" });
}

/** Returns the ID of the requested match, or null if no match can be played. */
async function requestPractice({
  request,
  wait,
  setPractice,
}: PracticeClient): Promise<string | null> {
  for (;;) {
    const response = await request(null);
    if (response?.status === ACCEPTED && "id" in response.body) return response.body.id;
    const failure = failedState(response);
    setPractice(failure);
    if (failure.at !== "away" && failure.at !== "held up") return null;
    await wait(POLL_INTERVAL_MS);
  }
}

function failedState(response: PracticeResponse): PracticeState {
  if (response === null || !("code" in response.body)) return { at: "away" };
  const { code, error } = response.body;
  if (code === "practice_pending") return { at: "held up" };
  if (code === "practice_unavailable") return { at: "unavailable" };
  return { at: "refused", text: error };
}

/** Returns "gone" if the match was never played. */
async function followPractice(id: string, client: PracticeClient): Promise<"over" | "gone"> {
  for (;;) {
    const response = await client.request(id);
    const practiceState = parsePracticeAnswer(response);
    if (practiceState === "gone") return "gone";
    client.setPractice(practiceState);
    if (practiceState.at === "done" || practiceState.at === "refused") return "over";
    await client.wait(POLL_INTERVAL_MS);
  }
}

function parsePracticeAnswer(response: PracticeResponse): PracticeState | "gone" {
  if (response === null || response.status === TOO_MANY) return { at: "away" };
  const { status, body } = response;
  if (status === OK && "id" in body) return practiceStateOf(body);
  // A restarted server doesn't know earlier requests.
  if (status === NOT_FOUND) return "gone";
  return "error" in body ? { at: "refused", text: body.error } : { at: "away" };
}

function practiceStateOf({ state, match_id: matchId, result }: Practice): PracticeState | "gone" {
  if (state === "expired") return "gone";
  if (matchId === null) return { at: "waiting" };
  return result === null ? { at: "playing", matchId } : { at: "done", matchId, result };
}

/**
 * Returns whether the match finished normally. A match that ended because of a server error has no
 * useful findings.
 */
export const isPlayedPractice = (practice: PracticeState | null): boolean =>
  practice?.at === "done" && practice.result.reason !== "server_fault";

export const canRetryPractice = ({ at: phase }: PracticeState): boolean =>
  ["done", "lapsed", "unavailable", "refused", "elsewhere"].includes(phase);

/**
 * Describes the state in one or two sentences. `practice` is null before a bot is registered.
 * Assumes the public ladder.
 */
export function describePractice(practice: PracticeState | null): string {
  if (practice === null)
    return "If you register with this form, a new bot's first match is a practice game: unrated, against the house bot Starter. It shows whether your program responds in time.";
  switch (practice.at) {
    case "asking":
      return "Asking for a practice game…";
    case "elsewhere":
      return "Practice games are played on the public ladder. To start with one, request it and start the program without --ladder. On its own ladder, the bot plays rated games immediately.";
    case "away":
      return "The server isn't responding; retrying.";
    case "held up":
      return "Waiting for an earlier practice game to end.";
    case "waiting":
      return "Its next match is practice: unrated, against the house bot Starter. It starts when the bot queues.";
    case "playing":
      return "Now playing Starter. This match is unrated.";
    case "done":
      return isPlayedPractice(practice)
        ? "The practice game is over. It doesn't affect the rating."
        : "The practice game is void because of a server error. Request another one.";
    case "lapsed":
      return "The bot hasn't queued, so the request expired. Request another one just before you start the bot, or its next game is rated.";
    case "unavailable":
      return "No practice game: Starter isn't available, or the server is about to stop. Without one, the next game is rated.";
    case "refused":
      return `The request was refused: ${practice.text} Without a practice game, the next game is rated.`;
  }
}
