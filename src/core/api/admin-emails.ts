import { Type } from "typebox";
import type { Static } from "typebox";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { DELIVERY_STATES, MAIL_CATEGORIES } from "#core/mail/delivery.ts";
import type { MailCategory } from "#core/mail/delivery.ts";
import { ALL_OPTIONAL_EMAIL, INCIDENT_CAUSES, TRANSACTIONAL_SCOPE } from "#core/mail/incident.ts";
import { MAIL_TRANSPORTS } from "#core/mail/mail-service.ts";
import { RecordOf, Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { CountSchema, IdSchema, InstantSchema } from "./common-schemas.ts";

const CategorySchema = OneOf(MAIL_CATEGORIES);

const QueueSchema = Type.Object({
  ...RecordOf(DELIVERY_STATES, CountSchema).properties,
  scheduled: Type.Integer({
    minimum: 0,
    description: "Emails due later, not included in pending.",
  }),
});

const SuppressedAccountsSchema = Type.Object(
  {
    total: CountSchema,
    accounts: Type.Array(
      Type.Object({
        account_id: IdSchema,
        handle: Nullable(Type.String()),
        refusals: Type.Integer({ minimum: 0 }),
      }),
      { description: `The oldest ${FIXED_LIMITS.mail_suppressed_shown}.` },
    ),
  },
  {
    description:
      "Accounts excluded from optional email because the mail server refused their address.",
  },
);

export const UnsuppressedSchema = Type.Object({
  account_id: IdSchema,
  handle: Nullable(Type.String()),
  cleared: Type.Boolean({ description: "Whether the account was suppressed." }),
});

export const IncidentSchema = Type.Object({
  id: IdSchema,
  scope: OneOf(
    [ALL_OPTIONAL_EMAIL, TRANSACTIONAL_SCOPE, ...MAIL_CATEGORIES],
    "* is all optional email; transactional is email about accounts, which is never held.",
  ),
  opened: InstantSchema,
  cause: OneOf(INCIDENT_CAUSES),
  resolved: Nullable(InstantSchema),
  resolved_by: Nullable(Type.String()),
  resolution: Nullable(Type.String()),
});
export type Incident = Static<typeof IncidentSchema>;

const TransactionalSchema = Type.Object(
  {
    waiting: Type.Integer({ minimum: 0, description: "Emails waiting to be sent." }),
    retrying: Type.Integer({
      minimum: 0,
      description: "Queued emails that failed at least once.",
    }),
    sent: CountSchema,
    failed: Type.Integer({ minimum: 0, description: "Emails that failed and won't be retried." }),
    given_up: Type.Integer({ minimum: 0, description: "Emails that failed after all retries." }),
    rate_limited: Type.Integer({
      minimum: 0,
      description: "Emails not sent because the mailbox exceeded the hourly limit for that type.",
    }),
    last_sent: Nullable(InstantSchema),
    last_failure: Nullable(
      Type.Object({
        at: InstantSchema,
        code: Type.String({ description: "Error code." }),
        response: Nullable(Type.Integer({ description: "Reply code from the mail server." })),
      }),
    ),
  },
  { description: "Transactional email, such as sign-up and recovery, since the server started." },
);

const HistorySchema = Type.Object({
  id: IdSchema,
  category: CategorySchema,
  announcement_id: Nullable(IdSchema),
  state: OneOf(DELIVERY_STATES),
  created: InstantSchema,
  started: Nullable(InstantSchema),
  finished: Nullable(InstantSchema),
  response_code: Nullable(
    Type.Integer({ description: "Reply code from the mail server; null without a reply." }),
  ),
  error: Nullable(
    Type.String({ description: "Code of the failure or of the reason for skipping." }),
  ),
  message_id: Nullable(Type.String()),
});

export const EmailsSchema = Type.Object({
  modes: Type.Object({
    transport: OneOf(MAIL_TRANSPORTS),
    from: Nullable(Type.String({ description: "From address for outgoing email." })),
    categories: RecordOf(MAIL_CATEGORIES, OneOf(["sending", "held"])),
  }),
  transactional: TransactionalSchema,
  queue: QueueSchema,
  suppressed: SuppressedAccountsSchema,
  history: Type.Array(HistorySchema, { description: "Newest first." }),
  incidents: Type.Array(IncidentSchema, { description: "Newest first." }),
});
export type Emails = Static<typeof EmailsSchema>;
export type MailModes = Record<MailCategory, "sending" | "held">;

export const EMAIL_PREVIEW_KINDS = ["welcome", "achievement", "admin"] as const;

export const EmailPreviewSchema = Type.Object({
  kind: OneOf(EMAIL_PREVIEW_KINDS),
  subject: Type.String(),
  html: Type.String(),
  text: Type.String(),
});
export type EmailPreview = Static<typeof EmailPreviewSchema>;

export const UnsubscribeSchema = Type.Object({
  category: Nullable(CategorySchema),
  message: Type.String(),
});

export const UnsubscribedSchema = Type.Object({
  category: CategorySchema,
  unsubscribed: Type.Boolean(),
});
