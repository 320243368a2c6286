import { assertDefined } from "#base/util/assert-defined.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { zeroDeliveryCounts } from "#core/mail/delivery.ts";
import type { DeliveryResult } from "#core/mail/delivery.ts";
import type { NotificationKind } from "#core/mail/email-notification.ts";
import { ALL_OPTIONAL_EMAIL, detectIncident, RECIPIENT_REFUSED } from "#core/mail/incident.ts";
import type { NewIncident } from "#core/mail/incident.ts";
import { isTooLate, refusalCount, skipReason } from "#core/mail/skip-reason.ts";
import type { EmailRecipient, MailboxRefusals, SkipReason } from "#core/mail/skip-reason.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { DeliveryRecord, IncidentRecord, NewDelivery } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";

export type MailMemory = {
  deliveries: Map<string, DeliveryRecord>;
  incidents: IncidentRecord[];
  /** `streak` counts refusals since the mail server last accepted any email. */
  refusals: Map<string, MailboxRefusals & { streak: number }>;
  marks: Map<string, string>;
  /** Outlives the content of the delivery. */
  kinds: Map<string, NotificationKind>;
};

export const emptyMailMemory = (): MailMemory => ({
  deliveries: new Map(),
  incidents: [],
  refusals: new Map(),
  marks: new Map(),
  kinds: new Map(),
});

type MailContext = MailMemory & {
  accounts: Map<string, AccountRecord>;
  bots: Map<string, BotRecord>;
  hasPlayed: (botId: string) => boolean;
  recordAudit: (entry: AuditEntry | undefined) => void;
};

export function deleteMail({ deliveries, refusals }: MailMemory, accountId: string): void {
  for (const [id, row] of deliveries) if (row.accountId === accountId) deliveries.delete(id);
  refusals.delete(accountId);
}

const INITIAL_DELIVERY = {
  state: "pending",
  attempt: 0,
  started: null,
  ended: null,
  responseCode: null,
  error: null,
  messageId: null,
} as const;

const newest = (a: string, b: string): number => (a < b ? 1 : -1);

export function deliveryMethods(memory: MailContext): Store["deliveries"] {
  const { deliveries, recordAudit } = memory;
  const newestFirst = () =>
    [...deliveries.values()].toSorted((a, b) =>
      newest(`${a.created} ${a.id}`, `${b.created} ${b.id}`),
    );
  return {
    queue: async (rows, marks) => {
      for (const { name, value } of marks) memory.marks.set(name, value);
      return rows.filter((row) => queueMail(memory, row)).length;
    },
    begin: async (at, host) => startDelivery(memory, at, host),
    end: async (id, { refused, ...outcome }, audit) => {
      const row = deliveries.get(id);
      if (row?.state !== "sending") return null;
      const { at, state, responseCode } = outcome;
      const error = refused === "recipient" ? RECIPIENT_REFUSED : outcome.error;
      Object.assign(row, { state, ended: at, responseCode, error });
      if (refused === "recipient") countRefusal(memory, row.accountId);
      if (state === "accepted") {
        for (const refusal of memory.refusals.values()) refusal.streak = 0;
        return null;
      }
      const streak = refusalStreaks(memory.refusals);
      const incident = detectIncident(row.category, refused, recentOutcomes(memory), streak);
      if (incident?.cause === "recipients_refused") revertRefusalStreak(memory);
      if (incident === null || openIncident(memory, incident.scope) !== undefined) return null;
      addIncident(memory, incident, audit);
      return incident;
    },
    interrupt: async (at) => {
      const rows = newestFirst().filter(({ state }) => state === "sending");
      for (const row of rows)
        Object.assign(row, { state: "unknown", ended: at, error: "interrupted" });
      return rows.length;
    },
    retry: async (announcementId, at, audit) => {
      const rows = newestFirst().filter(
        (row) =>
          row.announcementId === announcementId && row.state === "failed" && row.notice !== null,
      );
      const retryFields = {
        state: "pending",
        due: at,
        ended: null,
        responseCode: null,
        error: null,
      };
      for (const row of rows) Object.assign(row, retryFields);
      recordAudit(audit);
      return rows.length;
    },
    sweep: async (endedBefore, limit) => {
      const rows = newestFirst()
        .filter(({ ended, notice }) => ended !== null && ended < endedBefore && notice !== null)
        .slice(0, limit);
      for (const row of rows) Object.assign(row, { notice: null, messageId: null });
      return rows.length;
    },
    counts: async (at) => {
      const counts = { ...zeroDeliveryCounts(), scheduled: 0 };
      for (const { state, due } of newestFirst())
        counts[state === "pending" && due > at ? "scheduled" : state] += 1;
      return counts;
    },
    notSentSince: async (since) =>
      newestFirst().filter(
        ({ state, ended }) =>
          (state === "failed" || state === "unknown") && ended !== null && ended >= since,
      ).length,
    countsByAnnouncement: async (announcementIds) => {
      const counts = new Map<string, ReturnType<typeof zeroDeliveryCounts>>();
      for (const { announcementId: id, state } of newestFirst())
        if (id !== null && announcementIds.includes(id))
          counts.getOrInsertComputed(id, zeroDeliveryCounts)[state] += 1;
      return counts;
    },
    list: async (limit) => structuredClone(newestFirst().slice(0, limit)),
    listByAccount: async (accountId, limit) =>
      structuredClone(
        newestFirst()
          .filter((row) => row.accountId === accountId)
          .slice(0, limit),
      ),
    latest: async (accountId, category, subject) => {
      const row = newestFirst().find(
        (refusal) =>
          refusal.accountId === accountId &&
          refusal.category === category &&
          refusal.subject.startsWith(subject),
      );
      return row
        ? {
            kind: assertDefined(memory.kinds.get(row.id), "kind"),
            created: row.created,
            state: row.state,
          }
        : null;
    },
    findMark: async (name) => memory.marks.get(name) ?? null,
    listSuppressed: async (limit) => {
      const accounts = [...memory.accounts.values()]
        .toSorted((a, b) => -newest(`${a.created} ${a.id}`, `${b.created} ${b.id}`))
        .map(({ id, handle }) => ({
          accountId: id,
          handle,
          refusals: effectiveRefusals(memory, id),
        }))
        .filter(({ refusals }) => refusals >= FIXED_LIMITS.mail_refusals);
      return { total: accounts.length, accounts: accounts.slice(0, limit) };
    },
    unsuppress: async (accountId, audit) => {
      const isCleared = effectiveRefusals(memory, accountId) >= FIXED_LIMITS.mail_refusals;
      memory.refusals.delete(accountId);
      if (isCleared) recordAudit(audit);
      return isCleared;
    },
  };
}

export function queueMail(
  { deliveries, accounts, kinds }: Pick<MailContext, "deliveries" | "accounts" | "kinds">,
  row: NewDelivery,
): boolean {
  const isAlreadyQueued = deliveries
    .values()
    .some(
      ({ id, accountId, category, subject }) =>
        id === row.id ||
        (accountId === row.accountId && category === row.category && subject === row.subject),
    );
  if (isAlreadyQueued || !accounts.has(row.accountId)) return false;
  deliveries.set(row.id, structuredClone({ ...row, ...INITIAL_DELIVERY }));
  kinds.set(row.id, row.notice.kind);
  return true;
}

const openIncident = ({ incidents }: MailMemory, scope: string) =>
  incidents.find((incident) => incident.scope === scope && incident.resolved === null);

function findRecipient({ accounts, refusals }: MailContext, accountId: string): EmailRecipient {
  const account = accounts.get(accountId);
  if (account === undefined) throw new Error("deliveries are deleted with their account");
  const refusal = refusals.get(accountId);
  if (refusal === undefined) return { ...account, refusals: null };
  const isDisputed = refusal.streak > 0 && refusalStreaks(refusals).length > 1;
  const count = refusal.count - (isDisputed ? refusal.streak : 0);
  return { ...account, refusals: { ...refusal, count } };
}

const refusalStreaks = (refusals: MailMemory["refusals"]): number[] =>
  [...refusals.values()].map(({ streak }) => streak).filter((count) => count > 0);

function startDelivery(
  memory: MailContext,
  at: string,
  host: string,
): Awaited<ReturnType<Store["deliveries"]["begin"]>> {
  if (openIncident(memory, ALL_OPTIONAL_EMAIL) !== undefined) return null;
  const [next] = [...memory.deliveries.values()]
    .filter(({ state, due }) => state === "pending" && due <= at)
    .filter(({ category }) => openIncident(memory, category) === undefined)
    .toSorted((a, b) => -newest(`${a.due} ${a.id}`, `${b.due} ${b.id}`));
  if (next === undefined) return null;
  const { id, accountId, category, notice, attempt } = next;
  const recipient = findRecipient(memory, accountId);
  const skipped = skipReason(recipient, category) ?? lateSkipReason(memory, next, at);
  if (skipped !== null || notice === null || recipient.email === null) {
    const error = skipped ?? "no_address";
    Object.assign(next, { state: "skipped", ended: at, error });
    return { id, skipped: error };
  }
  const messageId = `<${id}@${host}>`;
  Object.assign(next, { state: "sending", started: at, attempt: attempt + 1, messageId });
  return structuredClone({ id, to: recipient.email, accountId, category, notice });
}

function lateSkipReason(
  { bots, hasPlayed }: MailContext,
  { accountId, notice, due }: DeliveryRecord,
  at: string,
): SkipReason | null {
  if (notice === null) return null;
  if (isTooLate(notice, due, at)) return "too_late";
  if (notice.kind !== "first_match") return null;
  const accountBots = bots.values().filter(({ ownerId }) => ownerId === accountId);
  return accountBots.some(({ id }) => hasPlayed(id)) ? "has_played" : null;
}

function recentOutcomes({ deliveries, incidents }: MailMemory): DeliveryResult[] {
  const resolved = incidents.flatMap((incident) =>
    incident.scope === ALL_OPTIONAL_EMAIL ? (incident.resolved ?? []) : [],
  );
  const since = resolved.toSorted().at(-1) ?? "";
  return [...deliveries.values()]
    .filter(({ state }) => ["accepted", "failed", "unknown"].includes(state))
    .filter(({ error }) => error !== "interrupted" && error !== RECIPIENT_REFUSED)
    .filter(({ ended }) => (ended ?? "") > since)
    .toSorted((a, b) => newest(`${a.ended} ${a.id}`, `${b.ended} ${b.id}`))
    .slice(0, FIXED_LIMITS.mail_failures)
    .map(({ state }) => state as DeliveryResult);
}

function countRefusal(memory: MailContext, accountId: string): void {
  const confirmedAt = memory.accounts.get(accountId)?.emailConfirmedAt ?? null;
  if (confirmedAt === null) return;
  const streak = (memory.refusals.get(accountId)?.streak ?? 0) + 1;
  memory.refusals.set(accountId, {
    confirmedAt,
    count: effectiveRefusals(memory, accountId) + 1,
    streak,
  });
}

function revertRefusalStreak({ refusals }: MailMemory): void {
  for (const [id, { count, streak, ...refusal }] of refusals)
    if (count <= streak) refusals.delete(id);
    else refusals.set(id, { ...refusal, count: count - streak, streak: 0 });
}

/** Returns how many refusals count toward suppressing the account's current address. */
export function effectiveRefusals(
  { accounts, refusals }: Pick<MailContext, "accounts" | "refusals">,
  accountId: string,
): number {
  const account = accounts.get(accountId);
  if (account === undefined) return 0;
  return refusalCount({ ...account, refusals: refusals.get(accountId) ?? null });
}

function addIncident(memory: MailContext, incident: NewIncident, audit: AuditEntry): void {
  const { id, at: opened } = audit;
  const unresolved = { resolved: null, resolvedBy: null, resolution: null };
  memory.incidents.push({ id, ...incident, opened, ...unresolved });
  const subject = { kind: "incident", id, name: incident.scope } as const;
  memory.recordAudit({ ...audit, subject, detail: { ...incident } });
}

export function incidentMethods(memory: MailContext): Store["incidents"] {
  return {
    list: async (limit) =>
      structuredClone(
        memory.incidents
          .toSorted((a, b) => newest(`${a.opened} ${a.id}`, `${b.opened} ${b.id}`))
          .slice(0, limit),
      ),
    open: async (incident, audit) => {
      if (openIncident(memory, incident.scope) !== undefined) return false;
      addIncident(memory, incident, audit);
      return true;
    },
    resolve: async (scope, resolvedBy, audit) => {
      const incident = openIncident(memory, scope);
      if (incident === undefined) return null;
      const { at: resolved, reason: resolution } = audit;
      Object.assign(incident, { resolved, resolvedBy: resolvedBy, resolution });
      memory.recordAudit({ ...audit, subject: { kind: "incident", id: incident.id, name: scope } });
      return structuredClone(incident);
    },
  };
}
