// Bots held back by a quota, or refused another version: the audit records it from time to time, and
// who waits is told.

import { MILLISECOND, SECOND, SECOND_MS } from "#base/units/time.ts";
import { printError } from "#core/protocol/print.ts";
import { SYSTEM } from "#core/words/audit.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { isRejected, StoreError } from "#data/store/errors.ts";

import type { ArenaDeps } from "./deps.ts";
import type { QuotaReason } from "./quota.ts";
import { tell } from "./session.ts";
import type { Session } from "./session.ts";

/** Most entries that wait for a store out of reach; the oldest are dropped first. */
const MOST_UNWRITTEN = 10_000;

export type Throttles = {
  /** When the next notice is due, by bot and reason. */
  readonly nextNotice: Map<string, number>;
  /** What the store has not taken yet, oldest first. */
  readonly unwritten: AuditEntry[];
  isWriting: boolean;
};

export const noThrottles = (): Throttles => ({
  nextNotice: new Map(),
  unwritten: [],
  isWriting: false,
});

/** What holds a bot back, and its limit. */
export type Hold = {
  reason: QuotaReason;
  limit: number;
  /** Null when that hangs on its owner's other bots. */
  until: () => number | null;
};

/** Tells a bot what holds it back, unless it was told lately. */
export function tellThrottle(
  deps: ArenaDeps,
  throttles: Throttles,
  session: Session,
  { reason, limit, until: heldUntil }: Hold,
): void {
  const isNew = noteThrottle(deps, throttles, session.bot, { kind: "bot.throttled", reason });
  if (!isNew) return;
  const until = heldUntil();
  const end = until === null ? "" : ` until ${instantIn(deps, until - deps.clock.now())}`;
  const text = `Held back by ${reason} (${limit})${end}. The bot stays queued.`;
  tell(session, printError("quota_exceeded", text));
}

/** A bot may not make another version now. */
export function noteVersionLimit(
  deps: ArenaDeps,
  throttles: Throttles,
  bot: Pick<BotRecord, "id" | "name">,
): void {
  noteThrottle(deps, throttles, bot, { kind: "bot.version_limit", reason: "versions_per_day" });
}

/** A bot was disconnected for too many messages; `floods` of them lately. */
export function noteFloodThrottle(
  deps: ArenaDeps,
  throttles: Throttles,
  bot: Pick<BotRecord, "id" | "name">,
  reason: "message_rate" | "flood_suspension",
  floods: number,
): void {
  const everySeconds = FIXED.flood_audit_every_s;
  noteThrottle(deps, throttles, bot, { kind: "bot.throttled", reason, floods, everySeconds });
}

type Throttled = {
  kind: "bot.throttled" | "bot.version_limit";
  reason: string;
  floods?: number;
  /** Shortest time between two entries; that between two notices unless given. */
  everySeconds?: number;
};

/** False if it was noted lately. */
function noteThrottle(
  deps: ArenaDeps,
  { nextNotice, unwritten }: Throttles,
  { id, name }: Pick<BotRecord, "id" | "name">,
  { kind, reason, floods, everySeconds }: Throttled,
): boolean {
  const now = deps.clock.now();
  const key = `${id} ${reason}`;
  if (now < (nextNotice.get(key) ?? -Infinity)) return false;
  nextNotice.set(key, now + (everySeconds ?? noticeSeconds(deps)) * SECOND);
  unwritten.push({
    id: deps.newId(),
    at: deps.clock.wall().toISOString(),
    kind,
    actor: SYSTEM,
    subject: { kind: "bot", id, name },
    reason: null,
    detail: floods === undefined ? { reason } : { reason, floods },
  });
  return true;
}

/** UTC, in whole seconds. */
export function instantIn({ clock }: Pick<ArenaDeps, "clock">, wait: number): string {
  const second = Math.ceil((clock.wall().getTime() + wait / MILLISECOND) / SECOND_MS);
  return new Date(second * SECOND_MS).toISOString().replace(".000Z", "Z");
}

const noticeSeconds = ({ settings }: ArenaDeps): number => settings.current().quota_notice_every_s;

/** Forgets notices whose next one is due anyway. */
export function forgetNotices({ clock }: ArenaDeps, { nextNotice }: Throttles): void {
  for (const [key, at] of nextNotice) if (at <= clock.now()) nextNotice.delete(key);
}

/**
 * Writes what is unwritten to the audit; entries that a store out of reach does not accept stay.
 */
export async function writeThrottles(deps: ArenaDeps, throttles: Throttles): Promise<void> {
  const { unwritten } = throttles;
  if (throttles.isWriting || unwritten.length === 0) return;
  throttles.isWriting = true;
  const entries = unwritten.splice(0);
  try {
    await deps.store.audit.add(entries);
  } catch (error) {
    deps.log.warn({ error, entries: entries.length }, "throttles wait for the audit");
    if (mayBeTakenLater(error)) unwritten.unshift(...entries);
    unwritten.splice(0, unwritten.length - MOST_UNWRITTEN);
  } finally {
    throttles.isWriting = false;
  }
}

function mayBeTakenLater(error: unknown): boolean {
  return error instanceof StoreError && !isRejected(error);
}
