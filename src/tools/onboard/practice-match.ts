// Tests the bot's program in a practice match before ranked play, and reports problems.

import { Compile } from "typebox/compile";

import { practiceFindings } from "#core/api/practice-report.ts";
import type { PracticeFindings } from "#core/api/practice-report.ts";
import { PracticeSchema } from "#core/api/practice.ts";
import type { Practice } from "#core/api/practice.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { RunningProgram } from "./bot-program.ts";
import { retryAdvice, errorSentence, textField } from "./http-client.ts";
import type { JsonReply } from "./http-client.ts";
import type { LadderClient } from "./ladder.ts";
import { OnboardError } from "./onboard-error.ts";
import { STATE_FILE } from "./state.ts";

export type PracticeDeps = {
  token: string;
  /** Id of the last requested match, which may still exist. */
  previousId: string | null;
  saveId: (id: string) => Promise<void>;
  start: () => RunningProgram;
  tell: (text: string) => void;
  pause: (ms: number) => Promise<void>;
};

const PracticeValidator = Compile(PracticeSchema);
const POLL_INTERVAL_MS = 500;
/**
 * Covers the time in the queue and in a match. A match between bots that never respond takes ten
 * seconds.
 */
const MAX_WAIT_MS = 600_000;
const EXIT_TIMEOUT_MS = 3000;
/** A void match is a server fault, so one more match is requested. */
const MAX_ATTEMPTS = 2;
const EXPIRES_MS = FIXED_LIMITS.practice_wait_s * 1000;

/** Returns null if the ladder currently offers no practice matches. */
export async function runPracticeMatch(
  ladder: LadderClient,
  deps: PracticeDeps,
): Promise<PracticeFindings | null> {
  if (!ladder.hasPractice) return null;
  const botId = await readBotId(ladder, deps);
  for (let remainingAttempts = MAX_ATTEMPTS; remainingAttempts > 0; remainingAttempts -= 1) {
    const practiceRequest = await requestPractice(ladder, deps);
    if (practiceRequest === null) return null;
    const { result } = await playPractice(ladder, practiceRequest, deps);
    if (result !== null && result.reason !== "server_fault")
      return practiceFindings(result, { botId, tickMs: ladder.tickMs });
    deps.tell("The practice match was void because of a server fault. The bot is not to blame.");
  }
  throw new OnboardError(
    "The server can't complete practice matches at the moment. Try again later.",
  );
}

async function readBotId(ladder: LadderClient, { token }: PracticeDeps): Promise<string> {
  const botReply = await ladder.call("/api/me", { bearer: token });
  const id = textField(botReply.body, "id");
  if (id !== null) return id;
  const isTokenReplaced = textField(botReply.body, "code") === "invalid_token";
  const advice = isTokenReplaced ? ` Write its current token to ${STATE_FILE} in the folder.` : "";
  throw new OnboardError(
    `Could not sign in as the bot: ${errorSentence(botReply)}${retryAdvice(botReply)}${advice}`,
  );
}

async function requestPractice(ladder: LadderClient, deps: PracticeDeps): Promise<Practice | null> {
  const { previousId } = deps;
  const pendingMatch = previousId === null ? null : await readPractice(ladder, previousId, deps);
  if (pendingMatch?.state === "pending") return pendingMatch;
  for (let waitedMs = 0; ; waitedMs += POLL_INTERVAL_MS) {
    const reply = await ladder.call("/api/me/practice", { method: "POST", bearer: deps.token });
    if (reply.status === 202) return acceptPractice(reply, deps);
    const code = textField(reply.body, "code");
    if (code === "practice_unavailable") return null;
    const canRetry = code === "practice_pending" && waitedMs < EXPIRES_MS + POLL_INTERVAL_MS;
    if (!canRetry)
      throw new OnboardError(
        `Could not request a practice match: ${errorSentence(reply)}${retryAdvice(reply)}`,
      );
    if (waitedMs === 0) deps.tell("Waiting for an earlier practice match to end.");
    await deps.pause(POLL_INTERVAL_MS);
  }
}

async function acceptPractice({ body }: JsonReply, { saveId }: PracticeDeps): Promise<Practice> {
  if (!PracticeValidator.Check(body))
    throw new OnboardError("The server's response about the practice match is invalid.");
  await saveId(body.id);
  return body;
}

async function readPractice(
  ladder: LadderClient,
  id: string,
  { token }: PracticeDeps,
): Promise<Practice | null> {
  const path = `/api/me/practice/${encodeURIComponent(id)}`;
  const { status, body } = await ladder.call(path, { bearer: token });
  return status === 200 && PracticeValidator.Check(body) ? body : null;
}

/** Returns the finished match. By then, the program that played it has exited. */
async function playPractice(ladder: LadderClient, { id }: Practice, deps: PracticeDeps) {
  const botProgram = deps.start();
  const programExit = { hasEnded: false, code: null as number | null };
  const exitPromise = botProgram.exitCode.then((code) =>
    Object.assign(programExit, { hasEnded: true, code }),
  );
  exitPromise.catch(() => {});
  try {
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_INTERVAL_MS) {
      const practiceState = await readPractice(ladder, id, deps);
      if (practiceState === null)
        throw new OnboardError("The practice match no longer exists on the server. Try again.");
      if (practiceState.state === "done") return practiceState;
      if (botProgram.wasStopped()) throw new OnboardError(STOPPED_MESSAGE);
      if (practiceState.state === "expired") throw new OnboardError(NOT_QUEUED_MESSAGE);
      if (programExit.hasEnded && practiceState.state === "pending")
        throw new OnboardError(endedEarlyMessage(programExit.code));
      await Promise.race([deps.pause(POLL_INTERVAL_MS), exitPromise]);
      if (programExit.hasEnded) await deps.pause(POLL_INTERVAL_MS);
    }
    throw new OnboardError("The practice match didn't end in time. Try again later.");
  } finally {
    await Promise.race([exitPromise.catch(() => {}), deps.pause(EXIT_TIMEOUT_MS)]);
    botProgram.stop();
  }
}

const STOPPED_MESSAGE =
  "Stopped before the practice match ended. Run the command again to continue.";
const NOT_QUEUED_MESSAGE = "The bot did not queue in time, so the practice match expired.";
const endedEarlyMessage = (code: number | null): string =>
  `The bot's program exited before its practice match started (${code === null ? "killed by a signal" : `exit code ${code}`}).`;
