import {
  archiveAnnouncement,
  publishAnnouncement,
  updateAnnouncementText,
} from "#core/api/announcement-lifecycle.ts";
import type { OperatorAnnouncement } from "#core/api/announcement-lifecycle.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { announcementDeliveries } from "#data/announcements/announcements.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Store } from "#data/store/store.ts";

import { queueMail, effectiveRefusals } from "./memory-mail.ts";
import type { MailMemory } from "./memory-mail.ts";

export type AnnouncementMemory = {
  announcements: Map<string, OperatorAnnouncement>;
  /** IDs of the accounts that were subscribed when the draft was created, by draft. */
  recipients: Map<string, string[]>;
};

export const emptyAnnouncementMemory = (): AnnouncementMemory => ({
  announcements: new Map(),
  recipients: new Map(),
});

type AnnouncementContext = AnnouncementMemory &
  Pick<MailMemory, "deliveries" | "kinds" | "refusals"> & {
    accounts: Map<string, AccountRecord>;
    recordAudit: (entry: AuditEntry | undefined) => void;
  };

export function announcementMethods(memory: AnnouncementContext): Store["announcements"] {
  const { announcements, recordAudit } = memory;
  const applyStep = <Refusal extends string>(
    id: string,
    audit: AuditEntry,
    transition: (current: OperatorAnnouncement) => OperatorAnnouncement | Refusal,
  ) => {
    const current = announcements.get(id);
    if (current === undefined) return null;
    const after = transition(current);
    if (typeof after === "string" || after === current) return structuredClone(after);
    announcements.set(id, after);
    recordAudit(audit);
    return structuredClone(after);
  };
  return {
    add: async (draft, audit) => {
      const audience = countAudience(memory);
      if (draft.email !== null && !announcements.has(draft.id))
        memory.recipients.set(draft.id, subscribersIn(memory));
      const lifecycle = { state: "draft", published: null, archived: null } as const;
      const created = announcements.get(draft.id) ?? {
        ...structuredClone(draft),
        audience,
        ...lifecycle,
      };
      announcements.set(draft.id, created);
      recordAudit({ ...audit, detail: { ...audit.detail, ...created.audience } });
      return structuredClone(created);
    },
    list: async (limit) => newestFirst(announcements, ({ created }) => created).slice(0, limit),
    byId: async (id) => structuredClone(announcements.get(id) ?? null),
    notices: async (limit) =>
      newestFirst(announcements, ({ published }) => published ?? "")
        .flatMap(({ id, title, body, ...lifecycle }) =>
          lifecycle.state === "published" && lifecycle.inGame
            ? [{ id, title, body, published: lifecycle.published }]
            : [],
        )
        .slice(0, limit),
    reword: async (id, text, email, audit) =>
      applyStep(id, audit, (current) => updateAnnouncementText(current, text, email)),
    readers: async ({ id }) =>
      (memory.recipients.get(id) ?? []).filter((accountId) => memory.accounts.has(accountId)),
    publish: async (id, recipients, audit) => {
      const isDraft = announcements.get(id)?.state === "draft";
      const after = applyStep(id, audit, (current) => publishAnnouncement(current, audit.at));
      if (isDraft && after !== null && typeof after !== "string") {
        for (const row of announcementDeliveries(after, recipients, audit.at))
          queueMail(memory, row);
        memory.recipients.delete(id);
      }
      return after;
    },
    archive: async (id, audit) =>
      applyStep<never>(id, audit, (current) => archiveAnnouncement(current, audit.at)),
    sweepDrafts: async (current, limit) => {
      const old = newestFirst(announcements, ({ created }) => created)
        .toReversed()
        .filter(({ published, created }) => published === null && created < current)
        .slice(0, limit);
      for (const { id } of old) announcements.delete(id);
      return old.length;
    },
    delete: async (id, audit) => {
      const isDeleted = announcements.delete(id);
      if (isDeleted) recordAudit(audit);
      for (const [key, row] of memory.deliveries)
        if (row.announcementId === id) memory.deliveries.delete(key);
      return isDeleted;
    },
  };
}

function newestFirst(
  announcements: Map<string, OperatorAnnouncement>,
  instantOf: (announcement: OperatorAnnouncement) => string,
): OperatorAnnouncement[] {
  const keyOf = (announcement: OperatorAnnouncement) =>
    `${instantOf(announcement)} ${announcement.id}`;
  const sorted = [...announcements.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  return structuredClone(sorted);
}

const isSubscriber = ({ email, emailConfirmedAt, mail, bannedAt }: AccountRecord): boolean =>
  bannedAt === null && email !== null && emailConfirmedAt !== null && mail.announcements;

const subscribersIn = ({ accounts }: Pick<AnnouncementContext, "accounts">): string[] =>
  [...accounts.values()]
    .filter(isSubscriber)
    .toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1))
    .map(({ id }) => id);

function countAudience(memory: AnnouncementContext) {
  const accounts = memory.accounts.values().filter(({ bannedAt }) => bannedAt === null);
  const [total, recipients] = [[...accounts].length, subscribersIn(memory)];
  const suppressed = recipients.filter(
    (id) => effectiveRefusals(memory, id) >= FIXED_LIMITS.mail_refusals,
  ).length;
  return {
    accounts: total,
    subscribed: recipients.length,
    unsubscribed: total - recipients.length,
    suppressed,
  };
}
