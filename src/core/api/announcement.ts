import { Type } from "typebox";
import type { Static } from "typebox";

import { ANNOUNCEMENT_STATES, ANNOUNCEMENT_CHANNELS } from "#core/ids/announcement-states.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { DELIVERY_STATES } from "#core/mail/delivery.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import {
  CountSchema,
  IdSchema,
  InstantSchema,
  VISIBLE_CHARACTER_PATTERN,
} from "./common-schemas.ts";

const publicProperties = {
  id: IdSchema,
  title: Type.String({ description: "1-120 characters on one line." }),
  body: Type.String({ description: "Plain text, 1-5000 characters." }),
};

export const AnnouncementSchema = Type.Object({ ...publicProperties, published: InstantSchema });
export type Announcement = Static<typeof AnnouncementSchema>;

const DeliveriesSchema = Type.Object(
  Object.fromEntries(DELIVERY_STATES.map((state) => [state, CountSchema] as const)) as Record<
    (typeof DELIVERY_STATES)[number],
    typeof CountSchema
  >,
  { description: "Number of emails by state." },
);

const emailField = (about: string) => Nullable(Type.String({ description: about }));

export const AdminAnnouncementSchema = Type.Object({
  ...publicProperties,
  state: OneOf(ANNOUNCEMENT_STATES),
  created: InstantSchema,
  published: Nullable(InstantSchema),
  archived: Nullable(InstantSchema),
  channels: Type.Array(OneOf(ANNOUNCEMENT_CHANNELS)),
  audience: Type.Object(
    {
      accounts: Type.Integer({ minimum: 0, description: "Accounts that aren't banned." }),
      subscribed: Type.Integer({
        minimum: 0,
        description: "Accounts subscribed to announcement emails.",
      }),
      unsubscribed: Type.Integer({
        minimum: 0,
        description: "Accounts not subscribed to announcement emails.",
      }),
      suppressed: Type.Integer({
        minimum: 0,
        description:
          "Subscribed accounts excluded from email because the mail server refused their address too often.",
      }),
    },
    { description: "Audience when the draft was created." },
  ),
  email_title: emailField("Subject of the email."),
  email_text: emailField("Email as plain text."),
  email_html: emailField("Email as HTML."),
  deliveries: DeliveriesSchema,
});
export type AdminAnnouncement = Static<typeof AdminAnnouncementSchema>;

export const RetriedAnnouncementSchema = Type.Object({
  ...AdminAnnouncementSchema.properties,
  requeued: Type.Integer({ minimum: 0, description: "Failed emails that were queued again." }),
});
export type RetriedAnnouncement = Static<typeof RetriedAnnouncementSchema>;

export const DeletedAnnouncementSchema = Type.Object({ deleted: IdSchema });

const NO_EXTRA_FIELDS = { additionalProperties: false };

/** A single line. Excludes every Unicode line separator. */
const LINE_PATTERN = "[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]*$";
/** Allows line breaks and tabs, but no other control characters. */
const LINES_PATTERN = "[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f\\ud800-\\udfff]*$";

const textProperties = {
  title: Type.String({
    minLength: 1,
    maxLength: FIXED_LIMITS.announcement_title_max,
    pattern: `^${VISIBLE_CHARACTER_PATTERN}${LINE_PATTERN}`,
    description: "A single line.",
  }),
  body: Type.String({
    minLength: 1,
    maxLength: FIXED_LIMITS.announcement_body_max,
    pattern: `^${VISIBLE_CHARACTER_PATTERN}${LINES_PATTERN}`,
    description: "Plain text.",
  }),
};

export const AnnouncementTextSchema = Type.Object(textProperties, NO_EXTRA_FIELDS);

export const NewAnnouncementSchema = Type.Object(
  {
    ...textProperties,
    in_game: Type.Boolean({
      description: "Whether to show the announcement as a notice on every page.",
    }),
    email: Type.Boolean({
      description: "Whether to send the announcement by email to subscribed accounts.",
    }),
  },
  NO_EXTRA_FIELDS,
);
