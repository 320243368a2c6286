// The URL stores the console location, for example /admin?part=ladders&of=cup.

export type ConsoleLocation = { part: string; selectedId: string | null };

export function parseConsoleLocation(search: string): ConsoleLocation {
  const parameters = new URLSearchParams(search);
  return { part: parameters.get("part") ?? "", selectedId: parameters.get("of") };
}

export function adminPath(part: string, of: string | null = null): string {
  const query = new URLSearchParams({ part, ...(of !== null && { of }) });
  return `/admin?${query.toString()}`;
}

/**
 * Returns the console location that a click navigates to. Returns null if the browser should handle
 * the click.
 */
export function consoleLocationOfClick(event: MouseEvent): ConsoleLocation | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (link === null || !isPlainClick || link.target !== "") return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  // Let the browser scroll to an anchor on this page.
  if (hash !== "") return null;
  return origin === location.origin && pathname === "/admin" ? parseConsoleLocation(search) : null;
}
