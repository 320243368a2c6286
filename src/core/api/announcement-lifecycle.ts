// Lifecycle of an announcement: each transition returns the next state, or why it's refused.

import type { RenderedEmail } from "#core/accounts/transactional-email.ts";
import type { AnnouncementId } from "#core/ids/ids.ts";

/** UTC instants. An archived draft was discarded without being published. */
type AnnouncementLifecycle =
  | { state: "draft"; published: null; archived: null }
  | { state: "published"; published: string; archived: null }
  | { state: "archived"; published: string | null; archived: string };

/**
 * Accounts that aren't banned. `suppressed` are the subscribed accounts that get no optional email
 * because the mail server refused their address too often.
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
  /** The draft can be published until then, so that its audience still matches the preview. */
  publishBy: string;
  inGame: boolean;
  /** Null if the announcement is a notice only. */
  email: RenderedEmail | null;
  audience: AnnouncementAudience;
} & AnnouncementLifecycle;

/** A draft before its audience is counted. */
export type NewAnnouncement = Omit<OperatorAnnouncement, "audience" | keyof AnnouncementLifecycle>;

type AnnouncementTransition<Refusal extends string> = OperatorAnnouncement | Refusal;

/** Publishes a draft. Published announcements stay unchanged. */
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

/** Removes a notice from the pages, or discards a draft. Archived announcements stay unchanged. */
export function archiveAnnouncement(
  announcement: OperatorAnnouncement,
  at: string,
): OperatorAnnouncement {
  if (announcement.state === "archived") return announcement;
  return { ...announcement, state: "archived", archived: at };
}

/** Replaces the texts. Only a draft's email changes; email already queued stays unchanged. */
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
