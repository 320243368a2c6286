// Lifecycle of an announcement. Each transition returns the next state, or why it's refused.

import type { RenderedEmail } from "#core/accounts/transactional-email.ts";
import type { AnnouncementId } from "#core/ids/ids.ts";

/** Times are UTC instants. An archived draft was discarded without being published. */
type AnnouncementLifecycle =
  | { state: "draft"; published: null; archived: null }
  | { state: "published"; published: string; archived: null }
  | { state: "archived"; published: string | null; archived: string };

/**
 * Counts accounts that aren't banned. `suppressed` counts subscribers excluded from email because
 * the mail server refused their address too often.
 */
export type AnnouncementAudience = {
  accounts: number;
  subscribed: number;
  unsubscribed: number;
  suppressed: number;
};

export type AnnouncementText = { title: string; body: string };

export type OperatorAnnouncement = AnnouncementText & {
  id: AnnouncementId;
  created: string;
  /** Deadline for publishing the draft, so that its audience still matches the preview. */
  publishBy: string;
  inGame: boolean;
  /** Null if the announcement is only a notice. */
  email: RenderedEmail | null;
  audience: AnnouncementAudience;
} & AnnouncementLifecycle;

/** A draft whose audience hasn't been counted. */
export type NewAnnouncement = Omit<OperatorAnnouncement, "audience" | keyof AnnouncementLifecycle>;

type AnnouncementTransition<Refusal extends string> = OperatorAnnouncement | Refusal;

/** Publishes a draft. Returns a published announcement unchanged. */
export function publishAnnouncement(
  announcement: OperatorAnnouncement,
  at: string,
): AnnouncementTransition<"preview_expired" | "announcement_archived"> {
  const { state, publishBy } = announcement;
  if (state === "published") return announcement;
  if (state === "archived") return "announcement_archived";
  if (at > publishBy) return "preview_expired";
  return { ...announcement, state: "published", published: at, archived: null };
}

/**
 * Removes a notice from the pages, or discards a draft. Returns an archived announcement unchanged.
 */
export function archiveAnnouncement(
  announcement: OperatorAnnouncement,
  at: string,
): OperatorAnnouncement {
  if (announcement.state === "archived") return announcement;
  return { ...announcement, state: "archived", archived: at };
}

/** Replaces the text. The email changes only for a draft; queued emails stay unchanged. */
export function updateAnnouncementText(
  announcement: OperatorAnnouncement,
  { title, body }: AnnouncementText,
  renderedEmail: RenderedEmail | null,
): AnnouncementTransition<"announcement_archived"> {
  const { state, email } = announcement;
  if (state === "archived") return "announcement_archived";
  const isDraft = state === "draft" && email !== null;
  return { ...announcement, title, body, email: isDraft ? (renderedEmail ?? email) : email };
}
