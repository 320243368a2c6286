// What a bot may say outside a match: queue, leave, and mistakes.

import { isVersionLabel } from "#ladder/label.ts";
import { PUBLIC_LADDER } from "#ladder/ladder.ts";
import type { ClientMessage } from "#protocol/parse.ts";
import { printError, printQueued, printServerDraining } from "#protocol/print.ts";
import type { VersionRecord } from "#store/store.ts";

import type { Hall } from "./hall.ts";
import { waitAhead } from "./outlook.ts";
import { tell } from "./session.ts";
import type { Session } from "./session.ts";

const DAY_MS = 86_400_000;

type QueueMessage = Extract<ClientMessage, { type: "queue" }>;

export function hearOutside(hall: Hall, session: Session, message: ClientMessage): void {
  switch (message.type) {
    case "queue":
      hearQueue(hall, session, message);
      break;
    case "leave":
      session.asked += 1;
      leaveQueue(session);
      break;
    case "turn":
    case "bad_turn":
      tell(session, printError("not_in_match"));
      break;
    case "bad_queue":
      tell(session, printError("schema", message.message));
      break;
    case "bad":
      tell(session, printError(message.fault.reason, message.fault.message));
      break;
    case "ready":
      break;
  }
}

/** Takes the bot out of the queue if it is in it. */
export function leaveQueue(session: Session): void {
  if (session.activity.state === "waiting") session.activity = { state: "idle" };
}

function hearQueue(hall: Hall, session: Session, { version: label, ladderId }: QueueMessage): void {
  session.asked += 1;
  if (isDraining(hall, session)) return;
  const ladder = ladderId ?? PUBLIC_LADDER;
  if (!isVersionLabel(label)) tell(session, printError("invalid_version"));
  else if (!hall.boards.has(ladder)) tell(session, printError("unknown_ladder"));
  else {
    const version = session.versions.get(label);
    if (version !== undefined) enter(hall, session, version, ladder);
    else void register(hall, session, label, ladder);
  }
}

/** Answers a `queue` that comes too late. */
function isDraining({ drainDeadline }: Hall, session: Session): boolean {
  if (drainDeadline !== null) tell(session, printServerDraining(drainDeadline));
  return drainDeadline !== null;
}

/** A label not used before is registered first; a later `queue` or `leave` overtakes this one. */
async function register(
  hall: Hall,
  session: Session,
  label: string,
  ladderId: string,
): Promise<void> {
  const { asked } = session;
  const { store, clock, limits, newId, log } = hall.deps;
  const now = clock.wall();
  const version: VersionRecord = {
    id: newId(),
    botId: session.bot.id,
    label,
    notes: "",
    created: now.toISOString(),
    retired: false,
  };
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const dayLimit = session.bot.house ? null : { count: limits.versions_per_day, since };
  try {
    const added = await store.addVersion(version, dayLimit);
    if (added.outcome !== "limit") session.versions.set(label, added.version);
    if (session.asked !== asked) return;
    if (added.outcome === "limit") tell(session, printError("version_limit"));
    else if (session.activity.state === "playing") tell(session, printError("already_queued"));
    else if (session.connection !== null && !isDraining(hall, session))
      enter(hall, session, added.version, ladderId);
  } catch (error) {
    log.error({ botId: session.bot.id, error }, "a version could not be registered");
    tell(session, printError("store_unavailable"));
  }
}

/** The wait is kept when version and ladder stay the same. */
function enter(hall: Hall, session: Session, version: VersionRecord, ladderId: string): void {
  if (version.retired) {
    tell(session, printError("version_retired"));
    return;
  }
  const { activity } = session;
  const old = activity.state === "waiting" ? activity.entry : null;
  const isSame = old?.version.id === version.id && old.ladderId === ladderId;
  const since = isSame ? old.since : hall.deps.clock.now();
  const entry = { ladderId, version, since };
  session.activity = { state: "waiting", entry };
  session.queued = { version, ladderId };
  tell(session, printQueued(version.label, waitAhead(hall, session, entry), ladderId));
}
