// The practice game of a new bot, from its request to its report: where it stands, what is asked of
// the server meanwhile, and the words for it.

import type { ErrorBody } from "#core/resources/common.ts";
import type { Practice, PracticeResult } from "#core/resources/practice.ts";

export type Practising =
  | { at: "asking" }
  /** The bot is for a ladder on which no practice game begins, so none was asked for. */
  | { at: "elsewhere" }
  | { at: "away" }
  /** An earlier one, whose answer was lost or which somebody else asked for, has not ended. */
  | { at: "held up" }
  | { at: "waiting" }
  | { at: "playing"; matchId: string }
  | { at: "done"; matchId: string; result: PracticeResult }
  /** The bot did not come, and nothing is asked for any more. */
  | { at: "lapsed" }
  | { at: "unavailable" }
  | { at: "refused"; text: string };

/** What the server says; null if it says nothing that can be understood. */
export type PracticeAnswer = { status: number; body: Practice | ErrorBody } | null;

export type PracticeTools = {
  /** Asks for a game, or by its id after one. */
  ask: (id: string | null) => Promise<PracticeAnswer>;
  /** Rejects once nobody wants to know any more. */
  pause: (ms: number) => Promise<void>;
  show: (practising: Practising) => void;
};

/** A bot that queues just after a game has expired must find the next one asked for. */
const LOOK_EVERY_MS = 1000;
const [ACCEPTED, OK, NOT_FOUND, TOO_MANY] = [202, 200, 404, 429];

/**
 * Follows games until one is played. A request lives for a minute only, and people who fetch a
 * program first may take longer: then it asks again, `asks` times in all.
 */
export async function practise(tools: PracticeTools, asks: number): Promise<void> {
  for (let left = asks; left > 0; left -= 1) {
    const id = await askFor(tools);
    if (id === null || (await follow(id, tools)) === "over") return;
  }
  tools.show({ at: "lapsed" });
}

/** The id of a game; null if there will be none. */
async function askFor({ ask, pause, show }: PracticeTools): Promise<string | null> {
  for (;;) {
    const answer = await ask(null);
    if (answer?.status === ACCEPTED && "id" in answer.body) return answer.body.id;
    const outcome = withoutGame(answer);
    show(outcome);
    if (outcome.at !== "away" && outcome.at !== "held up") return null;
    await pause(LOOK_EVERY_MS);
  }
}

function withoutGame(answer: PracticeAnswer): Practising {
  if (answer === null || !("code" in answer.body)) return { at: "away" };
  const { code, error } = answer.body;
  if (code === "practice_pending") return { at: "held up" };
  if (code === "practice_unavailable") return { at: "unavailable" };
  return { at: "refused", text: error };
}

/** "gone" if the game was never played. */
async function follow(id: string, tools: PracticeTools): Promise<"over" | "gone"> {
  for (;;) {
    const answer = await tools.ask(id);
    const found = foundIn(answer);
    if (found === "gone") return "gone";
    tools.show(found);
    if (found.at === "done" || found.at === "refused") return "over";
    await tools.pause(LOOK_EVERY_MS);
  }
}

function foundIn(answer: PracticeAnswer): Practising | "gone" {
  if (answer === null || answer.status === TOO_MANY) return { at: "away" };
  const { status, body } = answer;
  if (status === OK && "id" in body) return standOf(body);
  // A server that has started again knows nothing of the games before.
  if (status === NOT_FOUND) return "gone";
  return "error" in body ? { at: "refused", text: body.error } : { at: "away" };
}

function standOf({ state, match_id: matchId, result }: Practice): Practising | "gone" {
  if (state === "expired") return "gone";
  if (matchId === null) return { at: "waiting" };
  return result === null ? { at: "playing", matchId } : { at: "done", matchId, result };
}

/** Whether the game counts: one that the server spoiled says nothing of the bot. */
export const isPlayed = (practising: Practising | null): boolean =>
  practising?.at === "done" && practising.result.reason !== "server_fault";

/** Whether another one can be asked for. */
export const mayAskAgain = ({ at }: Practising): boolean =>
  ["done", "lapsed", "unavailable", "refused", "elsewhere"].includes(at);

/** Where it stands, in a sentence or two. Null before a bot is registered, for Public. */
export function practisingWords(practising: Practising | null): string {
  if (practising === null)
    return "The first game of a new bot is practice if this form makes it: against the house bot Starter, and unrated. It shows whether the program answers in time.";
  switch (practising.at) {
    case "asking":
      return "Asking for a practice game…";
    case "elsewhere":
      return "Practice games begin on Public. To have one first, ask for it and start the program without --ladder; on its own ladder the bot plays rated games at once.";
    case "away":
      return "The server does not answer; trying again.";
    case "held up":
      return "An earlier practice game has not ended yet; waiting for it.";
    case "waiting":
      return "Its next game is practice: against the house bot Starter, and unrated. It begins when the bot queues.";
    case "playing":
      return "It is fighting Starter now. Nothing of this game counts.";
    case "done":
      return isPlayed(practising)
        ? "It is over, and counts for nothing."
        : "It is void: the server failed, not the bot. Ask for another one.";
    case "lapsed":
      return "The bot has not queued, so no practice game is asked for at present. Ask for one just before you start it, else its next game is rated.";
    case "unavailable":
      return "There is none now: Starter does not play here, or the server is about to stop. Without one, the next game is rated.";
    case "refused":
      return `It was refused: ${practising.text} Without one, the next game is rated.`;
  }
}
