// Where in the console somebody is, as the address has it: /admin?part=ladders&of=cup.

export type ConsolePlace = { part: string; of: string | null };

export function placeIn(search: string): ConsolePlace {
  const asked = new URLSearchParams(search);
  return { part: asked.get("part") ?? "", of: asked.get("of") };
}

/** `of` names one of the things that a part lists. */
export function consolePath(part: string, of: string | null = null): string {
  const query = new URLSearchParams({ part, ...(of !== null && { of }) });
  return `/admin?${query.toString()}`;
}

/** The place to which a click leads within the page; null where the browser should go itself. */
export function placeOfClick(event: MouseEvent): ConsolePlace | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (link === null || !isPlain || link.target !== "") return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  // To a place on this very page.
  if (hash !== "") return null;
  return origin === location.origin && pathname === "/admin" ? placeIn(search) : null;
}
