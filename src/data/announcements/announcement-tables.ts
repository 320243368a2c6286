import type { ANNOUNCEMENT_STATES } from "#core/ids/announcement-states.ts";
import type { Fixed } from "#data/identity/immutable-column.ts";

export type AnnouncementTable = {
  id: Fixed<string>;
  title: string;
  body: string;
  state: (typeof ANNOUNCEMENT_STATES)[number];
  created: Fixed<string>;
  publish_by: Fixed<string>;
  published: string | null;
  archived: string | null;
  /** 0 or 1. */
  in_game: Fixed<number>;
  /** All three are set, or none. */
  email_title: string | null;
  email_text: string | null;
  email_html: string | null;
  accounts: Fixed<number>;
  subscribed: Fixed<number>;
  suppressed: Fixed<number>;
};

/** Accounts that were subscribed when the draft was created. Deleted once it is published. */
type RecipientTable = { announcement_id: Fixed<string>; account_id: Fixed<string> };

export type AnnouncementTables = {
  announcements: AnnouncementTable;
  announcement_recipients: RecipientTable;
};
