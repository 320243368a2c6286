// Mail that people may refuse: what operators see of it, and how it is refused.

import { Type } from "typebox";
import type { Static } from "typebox";

import { DELIVERY_STATES, MAIL_CATEGORIES } from "#core/mail/delivery.ts";
import type { MailCategory } from "#core/mail/delivery.ts";
import { ALL_MAIL, INCIDENT_CAUSES, TRANSACTIONAL } from "#core/mail/incident.ts";
import { TRANSPORTS } from "#core/mail/mail-side.ts";
import { Each, Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { Count, Id, Instant } from "#core/resources/common.ts";
import { FIXED } from "#core/words/limits.ts";

const Category = OneOf(MAIL_CATEGORIES);

const QueueSchema = Type.Object({
  ...Each(DELIVERY_STATES, Count).properties,
  scheduled: Type.Integer({ minimum: 0, description: "due later; not counted as pending" }),
});

const SuppressedSchema = Type.Object(
  {
    total: Count,
    accounts: Type.Array(
      Type.Object({
        account_id: Id,
        handle: Nullable(Type.String()),
        refusals: Type.Integer({ minimum: 0 }),
      }),
      { description: `the oldest ${FIXED.mail_suppressed_shown}` },
    ),
  },
  { description: "accounts that get no optional email: the mail server refused their address" },
);

export const UnsuppressedSchema = Type.Object({
  account_id: Id,
  handle: Nullable(Type.String()),
  cleared: Type.Boolean({ description: "false if the account was not suppressed" }),
});

export const IncidentSchema = Type.Object({
  id: Id,
  scope: OneOf(
    [ALL_MAIL, TRANSACTIONAL, ...MAIL_CATEGORIES],
    "* is all optional email; transactional is email about accounts, which is never held",
  ),
  opened: Instant,
  cause: OneOf(INCIDENT_CAUSES),
  resolved: Nullable(Instant),
  resolved_by: Nullable(Type.String()),
  resolution: Nullable(Type.String()),
});
export type Incident = Static<typeof IncidentSchema>;

const TransactionalSchema = Type.Object(
  {
    waiting: Type.Integer({ minimum: 0, description: "not sent yet" }),
    retrying: Type.Integer({ minimum: 0, description: "those of them that failed before" }),
    sent: Count,
    failed: Type.Integer({ minimum: 0, description: "not sent, where no retry could help" }),
    given_up: Type.Integer({ minimum: 0, description: "not sent after all retries" }),
    rate_limited: Type.Integer({
      minimum: 0,
      description: "not sent: the mailbox got many emails of that type within the hour",
    }),
    last_sent: Nullable(Instant),
    last_failure: Nullable(
      Type.Object({
        at: Instant,
        code: Type.String({ description: "an error code" }),
        response: Nullable(Type.Integer({ description: "the mail server's reply code" })),
      }),
    ),
  },
  { description: "email about accounts, such as sign-up and recovery, since the server started" },
);

const HistorySchema = Type.Object({
  id: Id,
  category: Category,
  announcement_id: Nullable(Id),
  state: OneOf(DELIVERY_STATES),
  created: Instant,
  started: Nullable(Instant),
  finished: Nullable(Instant),
  response_code: Nullable(
    Type.Integer({ description: "reply code of the mail server; null without a reply" }),
  ),
  error: Nullable(Type.String({ description: "a code: why it failed or was skipped" })),
  message_id: Nullable(Type.String()),
});

export const EmailsSchema = Type.Object({
  modes: Type.Object({
    transport: OneOf(TRANSPORTS),
    from: Nullable(Type.String({ description: "whom mail comes from" })),
    categories: Each(MAIL_CATEGORIES, OneOf(["sending", "held"])),
  }),
  transactional: TransactionalSchema,
  queue: QueueSchema,
  suppressed: SuppressedSchema,
  history: Type.Array(HistorySchema, { description: "newest first" }),
  incidents: Type.Array(IncidentSchema, { description: "newest first" }),
});
export type Emails = Static<typeof EmailsSchema>;
export type MailModes = Record<MailCategory, "sending" | "held">;

export const EMAIL_SAMPLES = ["welcome", "achievement", "admin"] as const;

export const EmailPreviewSchema = Type.Object({
  kind: OneOf(EMAIL_SAMPLES),
  subject: Type.String(),
  html: Type.String(),
  text: Type.String(),
});
export type EmailPreview = Static<typeof EmailPreviewSchema>;

export const UnsubscribeSchema = Type.Object({
  category: Nullable(Category),
  message: Type.String(),
});

export const UnsubscribedSchema = Type.Object({
  category: Category,
  unsubscribed: Type.Boolean(),
});
