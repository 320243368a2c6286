// What becomes of an announcement: each step gives the next state, or says why not.

import type { WrittenLetter } from "#core/accounts/letter.ts";
import type { AnnouncementId } from "#core/words/ids.ts";

/** UTC instants. A draft that is archived was discarded: it never was published. */
type Fate =
  | { state: "draft"; published: null; archived: null }
  | { state: "published"; published: string; archived: null }
  | { state: "archived"; published: string | null; archived: string };

/**
 * Accounts that are not banned. `suppressed` are those of the subscribed that get no optional email,
 * because the mail server refused their address too often.
 */
export type Audience = {
  accounts: number;
  subscribed: number;
  unsubscribed: number;
  suppressed: number;
};

export type AnnouncementText = { title: string; body: string };

export type OperatorAnnouncement = AnnouncementText & {
  id: AnnouncementId;
  created: string;
  /** A draft is published until then, so that its audience is still the one that was shown. */
  publishBy: string;
  inGame: boolean;
  /** Null if it goes out as a notice alone. */
  email: WrittenLetter | null;
  audience: Audience;
} & Fate;

/** A draft before its audience is counted. */
export type NewAnnouncement = Omit<OperatorAnnouncement, "audience" | keyof Fate>;

type Step<Refusal extends string> = OperatorAnnouncement | Refusal;

/** Publishes a draft. What is published stays as it is. */
export function publishedAt(
  announcement: OperatorAnnouncement,
  at: string,
): Step<"preview_expired" | "announcement_archived"> {
  const { state, publishBy } = announcement;
  if (state === "published") return announcement;
  if (state === "archived") return "announcement_archived";
  if (at > publishBy) return "preview_expired";
  return { ...announcement, state: "published", published: at, archived: null };
}

/** Takes a notice from the pages, or discards a draft. What is archived stays as it is. */
export function archivedAt(announcement: OperatorAnnouncement, at: string): OperatorAnnouncement {
  if (announcement.state === "archived") return announcement;
  return { ...announcement, state: "archived", archived: at };
}

/** Other words. Mail that is on its way keeps its own: only that of a draft changes. */
export function reworded(
  announcement: OperatorAnnouncement,
  { title, body }: AnnouncementText,
  letter: WrittenLetter | null,
): Step<"announcement_archived"> {
  const { state, email } = announcement;
  if (state === "archived") return "announcement_archived";
  const isDraft = state === "draft" && email !== null;
  return { ...announcement, title, body, email: isDraft ? (letter ?? email) : email };
}
