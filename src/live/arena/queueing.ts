// What a bot may say outside a match: queue, leave, and mistakes. Each `queue` is answered once, in
// order: a label that must be looked up holds up the questions behind it.

import { isVersionLabel } from "#core/ladder/label.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { ERRORS, versionLimitText } from "#core/protocol/errors.ts";
import type { QueueCode } from "#core/protocol/errors.ts";
import type { ClientMessage } from "#core/protocol/parse.ts";
import { printError, printQueued, printServerDraining } from "#core/protocol/print.ts";
import type { LadderId } from "#core/words/ids.ts";
import { addVersion } from "#data/access/new-version.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";

import type { ArenaState } from "./arena-state.ts";
import { noteVersionLimit } from "./quota-notices.ts";
import { CLOSE_NORMAL, tell, visitOf } from "./session.ts";
import type { QueueOutcome, Question, Session, Visit } from "./session.ts";
import { waitAhead } from "./wait-estimate.ts";

type QueueMessage = Extract<ClientMessage, { type: "queue" | "bad_queue" }>;

export function hearOutside(
  arena: ArenaState,
  session: Session,
  visit: Visit,
  message: ClientMessage,
): void {
  switch (message.type) {
    case "queue":
    case "bad_queue":
      hearQueue(arena, session, visit, message);
      break;
    case "leave":
      for (const question of visit.questions) question.isTakenBack = true;
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
export function isForQueue({ questions }: Visit, { type }: ClientMessage): boolean {
  return questions.length > 0 && (type === "queue" || type === "bad_queue");
}

/** Takes the bot out of the queue if it is in it. */
export function leaveQueue(session: Session): void {
  const { activity } = session;
  if (activity.state === "waiting") session.activity = { state: "idle", visit: activity.visit };
}

/**
 * Says why a bot does not queue; the code decides whether it keeps any place it has. A house bot is
 * told no reason: its session ends, and is opened again once it may be.
 */
export function refuseQueue(
  { deps }: ArenaState,
  session: Session,
  code: QueueCode,
  detail?: string,
): void {
  if (ERRORS[code].place === "lost") leaveQueue(session);
  if (session.bot.house) visitOf(session)?.connection.close(CLOSE_NORMAL, code);
  else {
    tell(session, printError(code, detail));
    deps.health.refused(code);
  }
}

/** Bots waiting on a ladder that no longer admits them are told why and leave the queue. */
export function dismissUnadmitted(arena: ArenaState): void {
  const { sessions, deps } = arena;
  for (const session of sessions.values()) {
    const { bot, activity } = session;
    if (activity.state !== "waiting") continue;
    const refused = deps.ladders.admits(bot, activity.entry.ladderId);
    if (refused !== null) refuseQueue(arena, session, refused);
  }
}

function hearQueue(arena: ArenaState, session: Session, visit: Visit, message: QueueMessage): void {
  const { version: label = "", ladderId = null } = message.type === "queue" ? message : {};
  const question: Question = {
    ladderId: ladderId ?? DEFAULT_LADDER,
    outcome: outcomeOf(arena, session, visit, message),
    isTakenBack: false,
  };
  visit.questions.push(question);
  if (question.outcome === null) void lookUp(arena, session, visit, question, label);
  else answerQuestions(arena, session, visit);
}

/** The outcome if it is known at once; null when the label must be looked up. */
function outcomeOf(
  arena: ArenaState,
  session: Session,
  visit: Visit,
  message: QueueMessage,
): QueueOutcome | null {
  if (session.activity.state === "playing") return { refused: "already_queued" };
  if (message.type === "bad_queue") return { refused: "schema", detail: message.message };
  if (arena.drainDeadline !== null) return { isDraining: true };
  if (!isVersionLabel(message.version)) return { refused: "invalid_version" };
  const refused = arena.deps.ladders.admits(session.bot, message.ladderId ?? DEFAULT_LADDER);
  if (refused !== null) return { refused };
  const last = visit.queued?.version;
  return last?.label === message.version ? { version: last } : null;
}

/** Afterwards the connection may be gone, or replaced by one that has questions of its own. */
async function lookUp(
  arena: ArenaState,
  session: Session,
  visit: Visit,
  question: Question,
  label: string,
): Promise<void> {
  try {
    question.outcome = await find(arena, session, question.ladderId, label);
  } catch (error) {
    arena.deps.log.error({ botId: session.bot.id, error }, "a version could not be looked up");
    question.outcome = { refused: "store_unavailable" };
  }
  if (visitOf(session) === visit) answerQuestions(arena, session, visit);
}

/**
 * The version with a label, made at its first use. Asks again if the bot's owner retired a version
 * meanwhile, since the answer may be older.
 */
async function find(
  arena: ArenaState,
  session: Session,
  ladderId: LadderId,
  label: string,
): Promise<QueueOutcome> {
  const { store } = arena.deps;
  const { bot } = session;
  for (;;) {
    const { retirements } = session;
    const known = await store.versions.byLabel(bot.id, label);
    const version = known ?? (await makeVersion(arena, bot, label));
    if (version === null) {
      noteVersionLimit(arena.deps, arena.throttles, bot);
      const { versions_per_day: most } = arena.deps.settings.current();
      return { refused: "version_limit", detail: versionLimitText(most) };
    }
    const hasPlayed = arena.boards.get(ladderId)?.entries().has(version.id) === true;
    if (!hasPlayed)
      session.formerVersion = (await store.versions.current(bot.id, ladderId))?.id ?? null;
    if (retirements === session.retirements) return { version };
  }
}

/** Null when the bot has made too many. */
async function makeVersion(
  { deps }: ArenaState,
  bot: BotRecord,
  label: string,
): Promise<VersionRecord | null> {
  const { store, clock, settings, newId } = deps;
  const version = { id: newId(), botId: bot.id, label, notes: "" };
  const most = bot.house ? null : settings.current().versions_per_day;
  const added = await addVersion(store, version, clock.wall(), most);
  return "version" in added ? added.version : null;
}

/** Answers the oldest questions, up to one that is being looked up. */
function answerQuestions(arena: ArenaState, session: Session, visit: Visit): void {
  for (;;) {
    const [question] = visit.questions;
    if (question === undefined || question.outcome === null) return;
    visit.questions.shift();
    answer(arena, session, visit, question, question.outcome);
  }
}

/** Much may have happened since the bot asked. */
function answer(
  arena: ArenaState,
  session: Session,
  visit: Visit,
  question: Question,
  outcome: QueueOutcome,
): void {
  const { drainDeadline } = arena;
  if ("refused" in outcome) refuseQueue(arena, session, outcome.refused, outcome.detail);
  else if (session.activity.state === "playing") refuseQueue(arena, session, "already_queued");
  else if (drainDeadline !== null) tell(session, printServerDraining(drainDeadline));
  else if ("version" in outcome) enter(arena, session, visit, question, outcome.version);
}

/** The wait is kept when version and ladder stay the same. */
function enter(
  arena: ArenaState,
  session: Session,
  visit: Visit,
  question: Question,
  version: VersionRecord,
): void {
  const { ladderId, isTakenBack } = question;
  const refused = arena.deps.ladders.admits(session.bot, ladderId);
  if (refused !== null || version.retired) {
    refuseQueue(arena, session, refused ?? "version_retired");
    return;
  }
  const { activity } = session;
  const old = activity.state === "waiting" ? activity.entry : null;
  const isSame = old?.version.id === version.id && old.ladderId === ladderId;
  const entry = { ladderId, version, since: isSame ? old.since : arena.deps.clock.now() };
  visit.queued = { version, ladderId };
  if (!isTakenBack) session.activity = { state: "waiting", visit, entry };
  tell(session, printQueued(version.label, waitAhead(arena, session, entry), ladderId));
}
