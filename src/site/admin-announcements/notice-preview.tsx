import { useLayoutEffect, useRef } from "preact/hooks";

import type { AdminAnnouncement } from "#core/api/announcement.ts";
import { createAnnouncementCard } from "#site/shell/announcements.ts";

/** Shows the announcement card as visitors see it. */
export function NoticePreview({ title, body }: Pick<AdminAnnouncement, "title" | "body">) {
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const card = createAnnouncementCard({ title, body }, () => {});
    card.querySelector("button")?.setAttribute("disabled", "");
    container.current?.replaceChildren(card);
  }, [title, body]);
  return <div ref={container} class="announcement-preview" />;
}
