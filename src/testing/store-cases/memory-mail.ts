// Letters on their way and what stops them, over plain maps.

import { sure } from "#base/units/sure.ts";
import { noDeliveries } from "#core/mail/delivery.ts";
import type { DeliveryEnd } from "#core/mail/delivery.ts";
import { isLate, refusedSoFar, skipOf } from "#core/mail/gate.ts";
import type { MailReader, Refusals, Skip } from "#core/mail/gate.ts";
import { ALL_MAIL, incidentAfter, RECIPIENT_REFUSED } from "#core/mail/incident.ts";
import type { NewIncident } from "#core/mail/incident.ts";
import type { NoticeKind } from "#core/mail/notice.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { DeliveryRecord, IncidentRecord, NewDelivery } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";

export type MailFacts = {
  deliveries: Map<string, DeliveryRecord>;
  incidents: IncidentRecord[];
  /** `inRow` are the refusals since the mail server last accepted an email. */
  refusals: Map<string, Refusals & { inRow: number }>;
  marks: Map<string, string>;
  /** Of each delivery, also once its content is forgotten. */
  kinds: Map<string, NoticeKind>;
};

export const noMail = (): MailFacts => ({
  deliveries: new Map(),
  incidents: [],
  refusals: new Map(),
  marks: new Map(),
  kinds: new Map(),
});

type Around = MailFacts & {
  accounts: Map<string, AccountRecord>;
  bots: Map<string, BotRecord>;
  hasPlayed: (botId: string) => boolean;
  note: (entry: AuditEntry | undefined) => void;
};

/** What goes with an account. */
export function forgetMail({ deliveries, refusals }: MailFacts, accountId: string): void {
  for (const [id, row] of deliveries) if (row.accountId === accountId) deliveries.delete(id);
  refusals.delete(accountId);
}

const UNTRIED = {
  state: "pending",
  attempt: 0,
  started: null,
  ended: null,
  responseCode: null,
  error: null,
  messageId: null,
} as const;

const newest = (a: string, b: string): number => (a < b ? 1 : -1);

export function deliveryMethods(facts: Around): Store["deliveries"] {
  const { deliveries, note } = facts;
  const listed = () =>
    [...deliveries.values()].toSorted((a, b) =>
      newest(`${a.created} ${a.id}`, `${b.created} ${b.id}`),
    );
  return {
    queue: async (rows, marks) => {
      for (const { name, value } of marks) facts.marks.set(name, value);
      return rows.filter((row) => queueMail(facts, row)).length;
    },
    begin: async (at, host) => begin(facts, at, host),
    end: async (id, { refused, ...outcome }, audit) => {
      const row = deliveries.get(id);
      if (row?.state !== "sending") return null;
      const { at, state, responseCode } = outcome;
      const error = refused === "recipient" ? RECIPIENT_REFUSED : outcome.error;
      Object.assign(row, { state, ended: at, responseCode, error });
      if (refused === "recipient") countRefusal(facts, row.accountId);
      if (state === "accepted") {
        for (const one of facts.refusals.values()) one.inRow = 0;
        return null;
      }
      const inRow = inRowOf(facts.refusals);
      const incident = incidentAfter(row.category, refused, recentEnds(facts), inRow);
      if (incident?.cause === "recipients_refused") takeBackRow(facts);
      if (incident === null || openOf(facts, incident.scope) !== undefined) return null;
      addIncident(facts, incident, audit);
      return incident;
    },
    interrupt: async (at) => {
      const rows = listed().filter(({ state }) => state === "sending");
      for (const row of rows)
        Object.assign(row, { state: "unknown", ended: at, error: "interrupted" });
      return rows.length;
    },
    retry: async (announcementId, at, audit) => {
      const rows = listed().filter(
        (row) =>
          row.announcementId === announcementId && row.state === "failed" && row.notice !== null,
      );
      const again = { state: "pending", due: at, ended: null, responseCode: null, error: null };
      for (const row of rows) Object.assign(row, again);
      note(audit);
      return rows.length;
    },
    sweep: async (before, most) => {
      const rows = listed()
        .filter(({ ended, notice }) => ended !== null && ended < before && notice !== null)
        .slice(0, most);
      for (const row of rows) Object.assign(row, { notice: null, messageId: null });
      return rows.length;
    },
    counts: async (at) => {
      const counts = { ...noDeliveries(), scheduled: 0 };
      for (const { state, due } of listed())
        counts[state === "pending" && due > at ? "scheduled" : state] += 1;
      return counts;
    },
    notSentSince: async (since) =>
      listed().filter(
        ({ state, ended }) =>
          (state === "failed" || state === "unknown") && ended !== null && ended >= since,
      ).length,
    countsOf: async (announcementIds) => {
      const counts = new Map<string, ReturnType<typeof noDeliveries>>();
      for (const { announcementId: id, state } of listed())
        if (id !== null && announcementIds.includes(id))
          counts.getOrInsertComputed(id, noDeliveries)[state] += 1;
      return counts;
    },
    list: async (most) => structuredClone(listed().slice(0, most)),
    ofAccount: async (accountId, most) =>
      structuredClone(
        listed()
          .filter((row) => row.accountId === accountId)
          .slice(0, most),
      ),
    latest: async (accountId, category, subject) => {
      const row = listed().find(
        (one) =>
          one.accountId === accountId &&
          one.category === category &&
          one.subject.startsWith(subject),
      );
      return row
        ? { kind: sure(facts.kinds.get(row.id), "kind"), created: row.created, state: row.state }
        : null;
    },
    mark: async (name) => facts.marks.get(name) ?? null,
    suppressed: async (most) => {
      const accounts = [...facts.accounts.values()]
        .toSorted((a, b) => -newest(`${a.created} ${a.id}`, `${b.created} ${b.id}`))
        .map(({ id, handle }) => ({ accountId: id, handle, refusals: refusedOf(facts, id) }))
        .filter(({ refusals }) => refusals >= FIXED.mail_refusals);
      return { total: accounts.length, accounts: accounts.slice(0, most) };
    },
    unsuppress: async (accountId, audit) => {
      const isCleared = refusedOf(facts, accountId) >= FIXED.mail_refusals;
      facts.refusals.delete(accountId);
      if (isCleared) note(audit);
      return isCleared;
    },
  };
}

/** False when its account was told already, or is gone. */
export function queueMail(
  { deliveries, accounts, kinds }: Pick<Around, "deliveries" | "accounts" | "kinds">,
  row: NewDelivery,
): boolean {
  const isTold = deliveries
    .values()
    .some(
      ({ id, accountId, category, subject }) =>
        id === row.id ||
        (accountId === row.accountId && category === row.category && subject === row.subject),
    );
  if (isTold || !accounts.has(row.accountId)) return false;
  deliveries.set(row.id, structuredClone({ ...row, ...UNTRIED }));
  kinds.set(row.id, row.notice.kind);
  return true;
}

const openOf = ({ incidents }: MailFacts, scope: string) =>
  incidents.find((one) => one.scope === scope && one.resolved === null);

function readerOf({ accounts, refusals }: Around, accountId: string): MailReader {
  const account = accounts.get(accountId);
  if (account === undefined) throw new Error("a delivery goes with its account");
  const found = refusals.get(accountId);
  if (found === undefined) return { ...account, refusals: null };
  const isDisputed = found.inRow > 0 && inRowOf(refusals).length > 1;
  const count = found.count - (isDisputed ? found.inRow : 0);
  return { ...account, refusals: { ...found, count } };
}

const inRowOf = (refusals: MailFacts["refusals"]): number[] =>
  [...refusals.values()].map(({ inRow }) => inRow).filter((times) => times > 0);

function begin(
  facts: Around,
  at: string,
  host: string,
): Awaited<ReturnType<Store["deliveries"]["begin"]>> {
  if (openOf(facts, ALL_MAIL) !== undefined) return null;
  const [next] = [...facts.deliveries.values()]
    .filter(({ state, due }) => state === "pending" && due <= at)
    .filter(({ category }) => openOf(facts, category) === undefined)
    .toSorted((a, b) => -newest(`${a.due} ${a.id}`, `${b.due} ${b.id}`));
  if (next === undefined) return null;
  const { id, accountId, category, notice, attempt } = next;
  const reader = readerOf(facts, accountId);
  const skipped = skipOf(reader, category) ?? pointOf(facts, next, at);
  if (skipped !== null || notice === null || reader.email === null) {
    const error = skipped ?? "no_address";
    Object.assign(next, { state: "skipped", ended: at, error });
    return { id, skipped: error };
  }
  const messageId = `<${id}@${host}>`;
  Object.assign(next, { state: "sending", started: at, attempt: attempt + 1, messageId });
  return structuredClone({ id, to: reader.email, accountId, category, notice });
}

function pointOf(
  { bots, hasPlayed }: Around,
  { accountId, notice, due }: DeliveryRecord,
  at: string,
): Skip | null {
  if (notice === null) return null;
  if (isLate(notice, due, at)) return "too_late";
  if (notice.kind !== "first_match") return null;
  const own = bots.values().filter(({ ownerId }) => ownerId === accountId);
  return own.some(({ id }) => hasPlayed(id)) ? "has_played" : null;
}

function recentEnds({ deliveries, incidents }: MailFacts): DeliveryEnd[] {
  const resolved = incidents.flatMap((one) => (one.scope === ALL_MAIL ? (one.resolved ?? []) : []));
  const since = resolved.toSorted().at(-1) ?? "";
  return [...deliveries.values()]
    .filter(({ state }) => ["accepted", "failed", "unknown"].includes(state))
    .filter(({ error }) => error !== "interrupted" && error !== RECIPIENT_REFUSED)
    .filter(({ ended }) => (ended ?? "") > since)
    .toSorted((a, b) => newest(`${a.ended} ${a.id}`, `${b.ended} ${b.id}`))
    .slice(0, FIXED.mail_failures)
    .map(({ state }) => state as DeliveryEnd);
}

function countRefusal(facts: Around, accountId: string): void {
  const confirmedAt = facts.accounts.get(accountId)?.emailConfirmedAt ?? null;
  if (confirmedAt === null) return;
  const inRow = (facts.refusals.get(accountId)?.inRow ?? 0) + 1;
  facts.refusals.set(accountId, { confirmedAt, count: refusedOf(facts, accountId) + 1, inRow });
}

function takeBackRow({ refusals }: MailFacts): void {
  for (const [id, { count, inRow, ...one }] of refusals)
    if (count <= inRow) refusals.delete(id);
    else refusals.set(id, { ...one, count: count - inRow, inRow: 0 });
}

/** How often the address of an account was refused, as it is now. */
export function refusedOf(
  { accounts, refusals }: Pick<Around, "accounts" | "refusals">,
  accountId: string,
): number {
  const account = accounts.get(accountId);
  if (account === undefined) return 0;
  return refusedSoFar({ ...account, refusals: refusals.get(accountId) ?? null });
}

function addIncident(facts: Around, incident: NewIncident, audit: AuditEntry): void {
  const { id, at: opened } = audit;
  const unresolved = { resolved: null, resolvedBy: null, resolution: null };
  facts.incidents.push({ id, ...incident, opened, ...unresolved });
  const subject = { kind: "incident", id, name: incident.scope } as const;
  facts.note({ ...audit, subject, detail: { ...incident } });
}

export function incidentMethods(facts: Around): Store["incidents"] {
  return {
    list: async (most) =>
      structuredClone(
        facts.incidents
          .toSorted((a, b) => newest(`${a.opened} ${a.id}`, `${b.opened} ${b.id}`))
          .slice(0, most),
      ),
    open: async (incident, audit) => {
      if (openOf(facts, incident.scope) !== undefined) return false;
      addIncident(facts, incident, audit);
      return true;
    },
    resolve: async (scope, by, audit) => {
      const incident = openOf(facts, scope);
      if (incident === undefined) return null;
      const { at: resolved, reason: resolution } = audit;
      Object.assign(incident, { resolved, resolvedBy: by, resolution });
      facts.note({ ...audit, subject: { kind: "incident", id: incident.id, name: scope } });
      return structuredClone(incident);
    },
  };
}
