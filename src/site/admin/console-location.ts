// Location within the console, as in the URL: /admin?part=ladders&of=cup.

export type ConsoleLocation = { part: string; selectedId: string | null };

export function parseConsoleLocation(search: string): ConsoleLocation {
  const parameters = new URLSearchParams(search);
  return { part: parameters.get("part") ?? "", selectedId: parameters.get("of") };
}

/** `selectedId` is the ID of the selected item. */
export function adminPath(part: string, of: string | null = null): string {
  const query = new URLSearchParams({ part, ...(of !== null && { of }) });
  return `/admin?${query.toString()}`;
}

/** The place a click navigates to within the page; null to leave it to the browser. */
export function consoleLocationOfClick(event: MouseEvent): ConsoleLocation | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (link === null || !isPlainClick || link.target !== "") return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  // An anchor on this page.
  if (hash !== "") return null;
  return origin === location.origin && pathname === "/admin" ? parseConsoleLocation(search) : null;
}
