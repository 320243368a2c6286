// What operators tell everybody, over plain maps.

import { archivedAt, publishedAt, reworded } from "#core/operator/announcement.ts";
import type { OperatorAnnouncement } from "#core/operator/announcement.ts";
import { deliveriesOf } from "#data/announcements/announcements.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Store } from "#data/store/store.ts";

import { queueMail } from "./memory-mail.ts";
import type { MailFacts } from "./memory-mail.ts";

export type AnnouncementFacts = { announcements: Map<string, OperatorAnnouncement> };

export const noAnnouncements = (): AnnouncementFacts => ({ announcements: new Map() });

type Around = AnnouncementFacts &
  Pick<MailFacts, "deliveries" | "kinds"> & {
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
      const audience = audienceIn(facts.accounts.values());
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
    readers: async ({ created }) =>
      [...facts.accounts.values()]
        .filter((account) => isReader(account) && account.created <= created)
        .toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1))
        .map(({ id }) => id),
    publish: async (id, readers, audit) => {
      const isDraft = announcements.get(id)?.state === "draft";
      const after = step(id, audit, (before) => publishedAt(before, audit.at));
      if (isDraft && after !== null && typeof after !== "string")
        for (const row of deliveriesOf(after, readers, audit.at)) queueMail(facts, row);
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
        if (row.announcementId === id)
          if (row.state === "pending") facts.deliveries.delete(key);
          else row.notice = null;
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

function audienceIn(all: Iterable<AccountRecord>) {
  const accounts = [...all].filter(({ bannedAt }) => bannedAt === null);
  const subscribed = accounts.filter(isReader).length;
  return { accounts: accounts.length, subscribed, unsubscribed: accounts.length - subscribed };
}
