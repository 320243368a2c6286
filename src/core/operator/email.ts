// Mail that people may refuse: what operators see of it, and how it is refused.

import { Type } from "typebox";
import type { Static } from "typebox";

import { DELIVERY_STATES, MAIL_CATEGORIES } from "#core/mail/delivery.ts";
import type { MailCategory } from "#core/mail/delivery.ts";
import { ALL_MAIL, INCIDENT_CAUSES } from "#core/mail/incident.ts";
import { TRANSPORTS } from "#core/mail/mail-side.ts";
import { Each, Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { Count, Id, Instant } from "#core/resources/common.ts";

const Category = OneOf(MAIL_CATEGORIES);

const DeliveryCountsSchema = Each(DELIVERY_STATES, Count);

export const IncidentSchema = Type.Object({
  id: Id,
  scope: OneOf([ALL_MAIL, ...MAIL_CATEGORIES], "* is all mail that can be refused"),
  opened: Instant,
  cause: OneOf(INCIDENT_CAUSES),
  resolved: Nullable(Instant),
  resolved_by: Nullable(Type.String()),
  resolution: Nullable(Type.String()),
});
export type Incident = Static<typeof IncidentSchema>;

const HistorySchema = Type.Object({
  id: Id,
  category: Category,
  announcement_id: Nullable(Id),
  state: OneOf(DELIVERY_STATES),
  created: Instant,
  started: Nullable(Instant),
  finished: Nullable(Instant),
  response_code: Nullable(Type.Integer({ description: "what the mail server answered" })),
  error: Nullable(Type.String({ description: "a code: why it failed or was skipped" })),
  message_id: Nullable(Type.String()),
});

export const EmailsSchema = Type.Object({
  modes: Type.Object({
    transport: OneOf(TRANSPORTS),
    from: Nullable(Type.String({ description: "whom mail comes from" })),
    categories: Each(MAIL_CATEGORIES, OneOf(["sending", "held"])),
  }),
  queue: DeliveryCountsSchema,
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
