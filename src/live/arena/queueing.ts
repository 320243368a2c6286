// What a bot may say outside a match: queue, leave, and mistakes. Each `queue` is answered once, in
// order: one whose label has to be registered keeps those behind it waiting.

import { DAY_MS } from "#base/units/time.ts";
import { isVersionLabel } from "#core/ladder/label.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { ERRORS, versionLimitText } from "#core/protocol/errors.ts";
import type { QueueCode } from "#core/protocol/errors.ts";
import type { ClientMessage } from "#core/protocol/parse.ts";
import { printError, printQueued, printServerDraining } from "#core/protocol/print.ts";
import type { VersionRecord } from "#data/store/store.ts";

import type { Hall } from "./arena-state.ts";
import { tell } from "./session.ts";
import type { QueueOutcome, Question, Session } from "./session.ts";
import { waitAhead } from "./wait-estimate.ts";

type QueueMessage = Extract<ClientMessage, { type: "queue" | "bad_queue" }>;

export function hearOutside(hall: Hall, session: Session, message: ClientMessage): void {
  switch (message.type) {
    case "queue":
    case "bad_queue":
      hearQueue(hall, session, message);
      break;
    case "leave":
      for (const question of session.questions) question.isTakenBack = true;
      leaveQueue(session);
      break;
    case "turn":
    case "bad_turn":
      tell(session, printError("not_in_match"));
      break;
    case "bad":
      tell(session, printError(message.fault.reason, message.fault.message));
      break;
    case "ready":
      break;
  }
}

/** A `queue` in a match is the match's to answer, unless an earlier one has no answer yet. */
export function isForQueue({ questions }: Session, { type }: ClientMessage): boolean {
  return questions.length > 0 && (type === "queue" || type === "bad_queue");
}

/** Takes the bot out of the queue if it is in it. */
export function leaveQueue(session: Session): void {
  if (session.activity.state === "waiting") session.activity = { state: "idle" };
}

/** Says why a bot does not queue; the code decides whether it keeps the place it may have. */
export function refuseQueue(session: Session, code: QueueCode, detail?: string): void {
  if (ERRORS[code].place === "lost") leaveQueue(session);
  tell(session, printError(code, detail));
}

function hearQueue(hall: Hall, session: Session, message: QueueMessage): void {
  const { version: label = "", ladderId = null } = message.type === "queue" ? message : {};
  const question: Question = {
    ladderId: ladderId ?? PUBLIC_LADDER,
    outcome: outcomeOf(hall, session, message),
    isTakenBack: false,
  };
  session.questions.push(question);
  if (question.outcome === null) void lookUp(hall, session, question, label);
  else answerQuestions(hall, session);
}

/** What is known at once; null when the label has not been used before. */
function outcomeOf(hall: Hall, session: Session, message: QueueMessage): QueueOutcome | null {
  if (session.activity.state === "playing") return { refused: "already_queued" };
  if (message.type === "bad_queue") return { refused: "schema", detail: message.message };
  if (hall.drainDeadline !== null) return { isDraining: true };
  if (!isVersionLabel(message.version)) return { refused: "invalid_version" };
  if (!hall.boards.has(message.ladderId ?? PUBLIC_LADDER)) return { refused: "unknown_ladder" };
  const version = session.versions.get(message.version);
  return version === undefined ? null : { version };
}

/** Afterwards the connection may be another one, which has questions of its own. */
async function lookUp(
  hall: Hall,
  session: Session,
  question: Question,
  label: string,
): Promise<void> {
  try {
    question.outcome = await register(hall, session, label);
  } catch (error) {
    hall.deps.log.error({ botId: session.bot.id, error }, "a version could not be registered");
    question.outcome = { refused: "store_unavailable" };
  }
  answerQuestions(hall, session);
}

/** Asked again when the bot's owner retired a version meanwhile: the answer may be older. */
async function register(hall: Hall, session: Session, label: string): Promise<QueueOutcome> {
  const { store, clock, settings, newId } = hall.deps;
  const { bot, versions } = session;
  const now = clock.wall();
  const version: VersionRecord = {
    id: newId(),
    botId: bot.id,
    label,
    notes: "",
    created: now.toISOString(),
    retired: false,
  };
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const { versions_per_day: count } = settings.current();
  const dayLimit = bot.house ? null : { count, since };
  for (;;) {
    const { retirements } = session;
    const added = await store.addVersion(version, dayLimit);
    if (retirements !== session.retirements) continue;
    if (added.outcome === "limit")
      return { refused: "version_limit", detail: versionLimitText(count) };
    versions.set(label, added.version);
    return { version: added.version };
  }
}

/** Answers the oldest, up to one that is being looked up. */
function answerQuestions(hall: Hall, session: Session): void {
  for (;;) {
    const [question] = session.questions;
    if (question === undefined || question.outcome === null) return;
    session.questions.shift();
    answer(hall, session, question, question.outcome);
  }
}

/** Much may have happened since the bot asked. */
function answer(hall: Hall, session: Session, question: Question, outcome: QueueOutcome): void {
  const { drainDeadline } = hall;
  if ("refused" in outcome) refuseQueue(session, outcome.refused, outcome.detail);
  else if (session.activity.state === "playing") refuseQueue(session, "already_queued");
  else if (drainDeadline !== null) tell(session, printServerDraining(drainDeadline));
  else if ("version" in outcome) enter(hall, session, question, outcome.version);
}

/** The wait is kept when version and ladder stay the same. */
function enter(hall: Hall, session: Session, question: Question, version: VersionRecord): void {
  if (version.retired) {
    refuseQueue(session, "version_retired");
    return;
  }
  const { ladderId, isTakenBack } = question;
  const { activity } = session;
  const old = activity.state === "waiting" ? activity.entry : null;
  const isSame = old?.version.id === version.id && old.ladderId === ladderId;
  const entry = { ladderId, version, since: isSame ? old.since : hall.deps.clock.now() };
  session.queued = { version, ladderId };
  if (!isTakenBack) session.activity = { state: "waiting", entry };
  tell(session, printQueued(version.label, waitAhead(hall, session, entry), ladderId));
}
