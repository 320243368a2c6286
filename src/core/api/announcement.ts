// Announcements: public notices, and the resources for operators.

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
  title: Type.String({ description: "One line of 1-120 characters." }),
  body: Type.String({ description: "Plain text of 1-5000 characters." }),
};

export const AnnouncementSchema = Type.Object({ ...publicProperties, published: InstantSchema });
export type Announcement = Static<typeof AnnouncementSchema>;

const DeliveriesSchema = Type.Object(
  Object.fromEntries(DELIVERY_STATES.map((state) => [state, CountSchema] as const)) as Record<
    (typeof DELIVERY_STATES)[number],
    typeof CountSchema
  >,
  { description: "Emails of the announcement by state." },
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
        description: "Accounts that get announcements by email.",
      }),
      unsubscribed: Type.Integer({ minimum: 0, description: "The other accounts." }),
      suppressed: Type.Integer({
        minimum: 0,
        description:
          "Subscribed accounts that get no email because the mail server refused their address too often.",
      }),
    },
    { description: "When the draft was created." },
  ),
  email_title: emailField("Subject of the email."),
  email_text: emailField("Email as plain text."),
  email_html: emailField("Email as HTML."),
  deliveries: DeliveriesSchema,
});
export type AdminAnnouncement = Static<typeof AdminAnnouncementSchema>;

export const RetriedAnnouncementSchema = Type.Object({
  ...AdminAnnouncementSchema.properties,
  requeued: Type.Integer({ minimum: 0, description: "Failed emails that are sent again." }),
});
export type RetriedAnnouncement = Static<typeof RetriedAnnouncementSchema>;

export const DeletedAnnouncementSchema = Type.Object({ deleted: IdSchema });

/** Operator routes reject unknown fields. */
const NO_EXTRA_FIELDS = { additionalProperties: false };

/** A single line, whatever the line separator. */
const LINE_PATTERN = "[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]*$";
/** Lines and tabs, without other control characters. */
const LINES_PATTERN = "[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f\\ud800-\\udfff]*$";

const textProperties = {
  title: Type.String({
    minLength: 1,
    maxLength: FIXED_LIMITS.announcement_title_max,
    pattern: `^${VISIBLE_CHARACTER_PATTERN}${LINE_PATTERN}`,
    description: "One line.",
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
    in_game: Type.Boolean({ description: "Show as a notice on every page." }),
    email: Type.Boolean({ description: "Send by email to subscribed accounts." }),
  },
  NO_EXTRA_FIELDS,
);
