// Announcements, as everybody sees their notices and as operators see and write them.

import { Type } from "typebox";
import type { Static } from "typebox";

import { DELIVERY_STATES } from "#core/mail/delivery.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { ANNOUNCEMENT_STATES, CHANNELS } from "#core/words/announcement.ts";
import { FIXED } from "#core/words/limits.ts";

import { Count, Id, Instant, SEEN } from "./common.ts";

const shown = {
  id: Id,
  title: Type.String({ description: "one line of 1-120 characters" }),
  body: Type.String({ description: "plain text of 1-5000 characters" }),
};

export const AnnouncementSchema = Type.Object({ ...shown, published: Instant });
export type Announcement = Static<typeof AnnouncementSchema>;

const DeliveriesSchema = Type.Object(
  Object.fromEntries(DELIVERY_STATES.map((state) => [state, Count] as const)) as Record<
    (typeof DELIVERY_STATES)[number],
    typeof Count
  >,
  { description: "its mails by state" },
);

const ofMail = (about: string) => Nullable(Type.String({ description: about }));

export const AdminAnnouncementSchema = Type.Object({
  ...shown,
  state: OneOf(ANNOUNCEMENT_STATES),
  created: Instant,
  published: Nullable(Instant),
  archived: Nullable(Instant),
  channels: Type.Array(OneOf(CHANNELS)),
  audience: Type.Object(
    {
      accounts: Type.Integer({ minimum: 0, description: "that are not banned" }),
      subscribed: Type.Integer({ minimum: 0, description: "of them, who get mail of this kind" }),
      unsubscribed: Type.Integer({ minimum: 0, description: "the rest" }),
      suppressed: Type.Integer({
        minimum: 0,
        description:
          "of the subscribed, those that get no email because the mail server refused their address too often",
      }),
    },
    { description: "when the draft was made" },
  ),
  email_title: ofMail("subject of its mail"),
  email_text: ofMail("its mail as text"),
  email_html: ofMail("its mail as HTML"),
  deliveries: DeliveriesSchema,
});
export type AdminAnnouncement = Static<typeof AdminAnnouncementSchema>;

export const RetriedAnnouncementSchema = Type.Object({
  ...AdminAnnouncementSchema.properties,
  requeued: Type.Integer({ minimum: 0, description: "failed mails that go out again" }),
});
export type RetriedAnnouncement = Static<typeof RetriedAnnouncementSchema>;

export const DeletedAnnouncementSchema = Type.Object({ deleted: Id });

/** Operators send no field that a route does not know. */
const CLOSED = { additionalProperties: false };

/** One line, whichever sign ends one. */
const LINE = "[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]*$";
/** Lines and tabs, without other control characters. */
const LINES = "[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f\\ud800-\\udfff]*$";

const written = {
  title: Type.String({
    minLength: 1,
    maxLength: FIXED.announcement_title_max,
    pattern: `^${SEEN}${LINE}`,
    description: "one line",
  }),
  body: Type.String({
    minLength: 1,
    maxLength: FIXED.announcement_body_max,
    pattern: `^${SEEN}${LINES}`,
    description: "plain text",
  }),
};

export const AnnouncementTextSchema = Type.Object(written, CLOSED);

export const NewAnnouncementSchema = Type.Object(
  {
    ...written,
    in_game: Type.Boolean({ description: "as a notice on every page" }),
    email: Type.Boolean({ description: "as mail to who wants it" }),
  },
  CLOSED,
);
