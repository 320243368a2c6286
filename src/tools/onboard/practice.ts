// The practice game before anything counts: asked for, played by the bot's own program, reported.

import { Compile } from "typebox/compile";

import { findingsOf } from "#core/resources/practice-words.ts";
import type { Findings } from "#core/resources/practice-words.ts";
import { PracticeSchema } from "#core/resources/practice.ts";
import type { Practice } from "#core/resources/practice.ts";
import { FIXED } from "#core/words/limits.ts";

import { Halt } from "./halt.ts";
import type { OpenLadder } from "./ladder.ts";
import type { Running } from "./program.ts";
import { STATE_FILE } from "./state.ts";
import { laterOf, sayingOf, textIn } from "./web.ts";
import type { WebReply } from "./web.ts";

export type PracticeDeps = {
  token: string;
  /** The game that was asked for last; it may still be there. */
  former: string | null;
  /** Keeps the id of the game for the next call. */
  keep: (id: string) => Promise<void>;
  /** Starts the program for one game. */
  start: () => Running;
  tell: (text: string) => void;
  pause: (ms: number) => Promise<void>;
};

const Shape = Compile(PracticeSchema);
const LOOK_EVERY_MS = 500;
/** A bot that has queued waits for its turn; a game with silent bots takes ten seconds. */
const LONGEST_MS = 600_000;
/** How long a program that has played may take to leave. */
const LEAVE_MS = 3000;
/** A void game is the server's fault: another one is asked for, once. */
const GAMES = 2;
const EXPIRES_MS = FIXED.practice_wait_s * 1000;

/** Null on a ladder that has no practice games now. */
export async function practise(ladder: OpenLadder, deps: PracticeDeps): Promise<Findings | null> {
  if (!ladder.hasPractice) return null;
  const botId = await ownId(ladder, deps);
  for (let left = GAMES; left > 0; left -= 1) {
    const asked = await askFor(ladder, deps);
    if (asked === null) return null;
    const { result } = await playAndWait(ladder, asked, deps);
    if (result !== null && result.reason !== "server_fault")
      return findingsOf(result, { botId, tickMs: ladder.tickMs });
    deps.tell("The practice game is void: the server failed, not the bot.");
  }
  throw new Halt("The server fails to play practice games. Try again later.");
}

async function ownId(ladder: OpenLadder, { token }: PracticeDeps): Promise<string> {
  const me = await ladder.call("/api/me", { bearer: token });
  const id = textIn(me.body, "id");
  if (id !== null) return id;
  const isOld = textIn(me.body, "code") === "invalid_token";
  const advice = isOld ? ` Write its present token into ${STATE_FILE} in the folder.` : "";
  throw new Halt(`The bot is refused: ${sayingOf(me)}${laterOf(me)}${advice}`);
}

async function askFor(ladder: OpenLadder, deps: PracticeDeps): Promise<Practice | null> {
  const { former } = deps;
  const left = former === null ? null : await look(ladder, former, deps);
  if (left?.state === "pending") return left;
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const reply = await ladder.call("/api/me/practice", { method: "POST", bearer: deps.token });
    if (reply.status === 202) return accepted(reply, deps);
    const code = textIn(reply.body, "code");
    if (code === "practice_unavailable") return null;
    const mayEnd = code === "practice_pending" && waited < EXPIRES_MS + LOOK_EVERY_MS;
    if (!mayEnd) throw new Halt(`A practice game is refused: ${sayingOf(reply)}${laterOf(reply)}`);
    if (waited === 0) deps.tell("An earlier practice game has not ended yet. Waiting for it.");
    await deps.pause(LOOK_EVERY_MS);
  }
}

async function accepted({ body }: WebReply, { keep }: PracticeDeps): Promise<Practice> {
  if (!Shape.Check(body)) throw new Halt("The ladder's answer about practice is not understood.");
  await keep(body.id);
  return body;
}

async function look(
  ladder: OpenLadder,
  id: string,
  { token }: PracticeDeps,
): Promise<Practice | null> {
  const path = `/api/me/practice/${encodeURIComponent(id)}`;
  const { status, body } = await ladder.call(path, { bearer: token });
  return status === 200 && Shape.Check(body) ? body : null;
}

/** The game once it is over, played by the program, which has left by then. */
async function playAndWait(ladder: OpenLadder, { id }: Practice, deps: PracticeDeps) {
  const running = deps.start();
  const fate = { hasEnded: false, code: null as number | null };
  const ended = running.ended.then((code) => Object.assign(fate, { hasEnded: true, code }));
  ended.catch(() => {});
  try {
    for (let waited = 0; waited < LONGEST_MS; waited += LOOK_EVERY_MS) {
      const game = await look(ladder, id, deps);
      if (game === null) throw new Halt("The ladder has forgotten the practice game. Try again.");
      if (game.state === "done") return game;
      if (running.wasStopped()) throw new Halt(STOPPED);
      if (game.state === "expired") throw new Halt(NOT_QUEUED);
      if (fate.hasEnded && game.state === "pending") throw new Halt(endedEarly(fate.code));
      await Promise.race([deps.pause(LOOK_EVERY_MS), ended]);
      if (fate.hasEnded) await deps.pause(LOOK_EVERY_MS);
    }
    throw new Halt("The practice game does not end. Try again later.");
  } finally {
    await Promise.race([ended.catch(() => {}), deps.pause(LEAVE_MS)]);
    running.stop();
  }
}

const STOPPED = "Stopped before the practice game was over. Call again to go on.";
const NOT_QUEUED = "The bot did not queue in time, so there was no practice game.";
const endedEarly = (code: number | null): string =>
  `The bot's program ended before its practice game began (${code === null ? "by a signal" : `exit code ${code}`}).`;
