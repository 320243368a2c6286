import { useLayoutEffect, useRef } from "preact/hooks";

import type { AdminAnnouncement } from "#core/resources/announcement.ts";
import { cardOf } from "#site/public/notices.ts";

/** The very card that pages show, in its place on this one. */
export function Notice({ title, body }: Pick<AdminAnnouncement, "title" | "body">) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const card = cardOf({ title, body }, () => {});
    // There is nothing to close here.
    card.querySelector("button")?.setAttribute("disabled", "");
    place.current?.replaceChildren(card);
  }, [title, body]);
  return <div ref={place} class="announcement-preview" />;
}
