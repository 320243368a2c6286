// Runs before the first paint, so the page never flashes the wrong theme or a hidden result. See
// theme.ts, result-visibility.ts and stored-session.ts. Must not import anything, because a module
// would run too late.
const root = document.documentElement;

function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`bout-${name}`);
  } catch {
    // Storage is unavailable, so nothing was stored.
    return null;
  }
}

function applyStoredTheme(): void {
  const theme = readStored("theme");
  if (theme !== "light" && theme !== "dark") return;
  root.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-scheme]"))
    meta.media = meta.dataset.scheme === theme ? "all" : "not all";
}

/** Reserves space for signed-in content before the session is checked. */
function markSession(): void {
  if (readStored("account") !== null) root.dataset.account = "";
}

/** Hides the result unless the visitor has seen it, came from a list that shows it, or opted in. */
function hideResult(): void {
  const cameForLive = location.hash === "#live";
  if (cameForLive) root.dataset.late = "";
  const showsResults = readStored("results") === "shown" && !cameForLive;
  const watchedMatches = readStored("watched")?.split(" ") ?? [];
  const id = location.pathname.split("/").at(-1) ?? "";
  if (!showsResults && location.hash !== "#result" && !watchedMatches.includes(id))
    root.dataset.results = "hidden";
}

applyStoredTheme();
markSession();
if (location.pathname.startsWith("/match/")) hideResult();
