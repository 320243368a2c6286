// What operators tell everybody, over plain maps.

import { archivedAt, publishedAt, reworded } from "#core/operator/announcement.ts";
import type { OperatorAnnouncement } from "#core/operator/announcement.ts";
import { FIXED } from "#core/words/limits.ts";
import { deliveriesOf } from "#data/announcements/announcements.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Store } from "#data/store/store.ts";

import { queueMail, refusedOf } from "./memory-mail.ts";
import type { MailFacts } from "./memory-mail.ts";

export type AnnouncementFacts = {
  announcements: Map<string, OperatorAnnouncement>;
  /** Ids of the accounts that were subscribed when a draft was made. */
  recipients: Map<string, string[]>;
};

export const noAnnouncements = (): AnnouncementFacts => ({
  announcements: new Map(),
  recipients: new Map(),
});

type Around = AnnouncementFacts &
  Pick<MailFacts, "deliveries" | "kinds" | "refusals"> & {
    accounts: Map<string, AccountRecord>;
    note: (entry: AuditEntry | undefined) => void;
  };

export function announcementMethods(facts: Around): Store["announcements"] {
  const { announcements, note } = facts;
  const step = <Refusal extends string>(
    id: string,
    audit: AuditEntry,
    next: (before: OperatorAnnouncement) => OperatorAnnouncement | Refusal,
  ) => {
    const before = announcements.get(id);
    if (before === undefined) return null;
    const after = next(before);
    if (typeof after === "string" || after === before) return structuredClone(after);
    announcements.set(id, after);
    note(audit);
    return structuredClone(after);
  };
  return {
    add: async (draft, audit) => {
      const audience = audienceIn(facts);
      if (draft.email !== null && !announcements.has(draft.id))
        facts.recipients.set(draft.id, readersIn(facts));
      const fate = { state: "draft", published: null, archived: null } as const;
      const made = announcements.get(draft.id) ?? { ...structuredClone(draft), audience, ...fate };
      announcements.set(draft.id, made);
      note({ ...audit, detail: { ...audit.detail, ...made.audience } });
      return structuredClone(made);
    },
    list: async (most) => newestFirst(announcements, ({ created }) => created).slice(0, most),
    byId: async (id) => structuredClone(announcements.get(id) ?? null),
    notices: async (most) =>
      newestFirst(announcements, ({ published }) => published ?? "")
        .flatMap(({ id, title, body, ...fate }) =>
          fate.state === "published" && fate.inGame
            ? [{ id, title, body, published: fate.published }]
            : [],
        )
        .slice(0, most),
    reword: async (id, text, letter, audit) =>
      step(id, audit, (before) => reworded(before, text, letter)),
    readers: async ({ id }) =>
      (facts.recipients.get(id) ?? []).filter((accountId) => facts.accounts.has(accountId)),
    publish: async (id, readers, audit) => {
      const isDraft = announcements.get(id)?.state === "draft";
      const after = step(id, audit, (before) => publishedAt(before, audit.at));
      if (isDraft && after !== null && typeof after !== "string") {
        for (const row of deliveriesOf(after, readers, audit.at)) queueMail(facts, row);
        facts.recipients.delete(id);
      }
      return after;
    },
    archive: async (id, audit) => step<never>(id, audit, (before) => archivedAt(before, audit.at)),
    sweepDrafts: async (before, most) => {
      const old = newestFirst(announcements, ({ created }) => created)
        .toReversed()
        .filter(({ published, created }) => published === null && created < before)
        .slice(0, most);
      for (const { id } of old) announcements.delete(id);
      return old.length;
    },
    delete: async (id, audit) => {
      const isDeleted = announcements.delete(id);
      if (isDeleted) note(audit);
      for (const [key, row] of facts.deliveries)
        if (row.announcementId === id) facts.deliveries.delete(key);
      return isDeleted;
    },
  };
}

function newestFirst(
  announcements: Map<string, OperatorAnnouncement>,
  instantOf: (one: OperatorAnnouncement) => string,
): OperatorAnnouncement[] {
  const keyOf = (one: OperatorAnnouncement) => `${instantOf(one)} ${one.id}`;
  const all = [...announcements.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  return structuredClone(all);
}

const isReader = ({ email, emailConfirmedAt, mail, bannedAt }: AccountRecord): boolean =>
  bannedAt === null && email !== null && emailConfirmedAt !== null && mail.announcements;

/** Ids, by age. */
const readersIn = ({ accounts }: Pick<Around, "accounts">): string[] =>
  [...accounts.values()]
    .filter(isReader)
    .toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1))
    .map(({ id }) => id);

function audienceIn(facts: Around) {
  const accounts = facts.accounts.values().filter(({ bannedAt }) => bannedAt === null);
  const [total, readers] = [[...accounts].length, readersIn(facts)];
  const suppressed = readers.filter((id) => refusedOf(facts, id) >= FIXED.mail_refusals).length;
  return {
    accounts: total,
    subscribed: readers.length,
    unsubscribed: total - readers.length,
    suppressed,
  };
}
