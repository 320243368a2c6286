import { MILLISECOND_US, SECOND_US, SECOND_MS } from "#base/util/time.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { printError } from "#core/protocol/print-messages.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { isRejected, StoreError } from "#data/store/errors.ts";

import type { ArenaDeps } from "./arena-deps.ts";
import type { QuotaReason } from "./quota.ts";
import { sendToSession } from "./session.ts";
import type { Session } from "./session.ts";

/**
 * Max audit entries held in memory while the store is unreachable. The oldest entries are dropped
 * first.
 */
const MAX_UNWRITTEN = 10_000;

export type QuotaNotices = {
  /** When the next notice may be sent, by bot and reason. */
  readonly nextNoticeAt: Map<string, number>;
  readonly unwrittenEntries: AuditEntry[];
  isWriting: boolean;
};

export const emptyQuotaNotices = (): QuotaNotices => ({
  nextNoticeAt: new Map(),
  unwrittenEntries: [],
  isWriting: false,
});

export type PairingHold = {
  reason: QuotaReason;
  limit: number;
  /** When the limit no longer applies. Null if that depends on the owner's other bots. */
  until: () => number | null;
};

/** Tells a bot which limit holds it back. Repeated notices are suppressed for a few minutes. */
export function sendQuotaNotice(
  deps: ArenaDeps,
  quotaNotices: QuotaNotices,
  session: Session,
  { reason, limit, until: computeUntil }: PairingHold,
): void {
  const isDue = queueAuditEntry(deps, quotaNotices, session.bot, { kind: "bot.throttled", reason });
  if (!isDue) return;
  const until = computeUntil();
  const end = until === null ? "" : ` until ${formatInstantAfter(deps, until - deps.clock.now())}`;
  const text = `Held back by ${reason} (${limit})${end}. The bot stays queued.`;
  sendToSession(session, printError("quota_exceeded", text));
}

export function auditVersionLimit(
  deps: ArenaDeps,
  quotaNotices: QuotaNotices,
  bot: Pick<BotRecord, "id" | "name">,
): void {
  queueAuditEntry(deps, quotaNotices, bot, {
    kind: "bot.version_limit",
    reason: "versions_per_day",
  });
}

/**
 * Records that a bot was disconnected for flooding. `floods` is the number of recent
 * disconnections.
 */
export function auditFlood(
  deps: ArenaDeps,
  quotaNotices: QuotaNotices,
  bot: Pick<BotRecord, "id" | "name">,
  reason: "message_rate" | "flood_suspension",
  floods: number,
): void {
  const everySeconds = FIXED_LIMITS.flood_audit_every_s;
  queueAuditEntry(deps, quotaNotices, bot, { kind: "bot.throttled", reason, floods, everySeconds });
}

type ThrottleEvent = {
  kind: "bot.throttled" | "bot.version_limit";
  reason: string;
  floods?: number;
  /** Minimum seconds between two entries. Defaults to the interval between notices. */
  everySeconds?: number;
};

/** Returns false if the same entry was recorded recently. */
function queueAuditEntry(
  deps: ArenaDeps,
  { nextNoticeAt, unwrittenEntries }: QuotaNotices,
  { id, name }: Pick<BotRecord, "id" | "name">,
  { kind, reason, floods, everySeconds }: ThrottleEvent,
): boolean {
  const now = deps.clock.now();
  const key = `${id} ${reason}`;
  if (now < (nextNoticeAt.get(key) ?? -Infinity)) return false;
  nextNoticeAt.set(key, now + (everySeconds ?? noticeIntervalSeconds(deps)) * SECOND_US);
  unwrittenEntries.push({
    id: deps.newId(),
    at: deps.clock.wall().toISOString(),
    kind,
    actor: SYSTEM_ACTOR,
    subject: { kind: "bot", id, name },
    reason: null,
    detail: floods === undefined ? { reason } : { reason, floods },
  });
  return true;
}

/** Returns the UTC time `wait` from now, in whole seconds. */
export function formatInstantAfter({ clock }: Pick<ArenaDeps, "clock">, wait: number): string {
  const second = Math.ceil((clock.wall().getTime() + wait / MILLISECOND_US) / SECOND_MS);
  return new Date(second * SECOND_MS).toISOString().replace(".000Z", "Z");
}

const noticeIntervalSeconds = ({ settings }: ArenaDeps): number =>
  settings.current().quota_notice_every_s;

export function evictDueNotices({ clock }: ArenaDeps, { nextNoticeAt }: QuotaNotices): void {
  for (const [key, at] of nextNoticeAt) if (at <= clock.now()) nextNoticeAt.delete(key);
}

/** Writes pending entries to the audit log. If the store is unreachable, entries stay pending. */
export async function writeAuditEntries(
  deps: ArenaDeps,
  quotaNotices: QuotaNotices,
): Promise<void> {
  const { unwrittenEntries } = quotaNotices;
  if (quotaNotices.isWriting || unwrittenEntries.length === 0) return;
  quotaNotices.isWriting = true;
  const entries = unwrittenEntries.splice(0);
  try {
    await deps.store.audit.add(entries);
  } catch (error) {
    deps.log.warn(
      { error, entries: entries.length },
      "could not write throttle audit entries; retrying",
    );
    if (isRetryable(error)) unwrittenEntries.unshift(...entries);
    unwrittenEntries.splice(0, unwrittenEntries.length - MAX_UNWRITTEN);
  } finally {
    quotaNotices.isWriting = false;
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof StoreError && !isRejected(error);
}
