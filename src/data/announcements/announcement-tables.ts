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
  in_game: Fixed<number>;
  /** Set together or not at all. */
  email_title: string | null;
  email_text: string | null;
  email_html: string | null;
  accounts: Fixed<number>;
  subscribed: Fixed<number>;
  suppressed: Fixed<number>;
};

/**
 * Accounts that were subscribed when the draft was created. Deleted when the announcement is
 * published.
 */
type RecipientTable = { announcement_id: Fixed<string>; account_id: Fixed<string> };

export type AnnouncementTables = {
  announcements: AnnouncementTable;
  announcement_recipients: RecipientTable;
};
