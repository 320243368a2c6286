// Runs before the first paint, so that the page never flashes in the wrong theme and a hidden result
// is never visible (see theme.ts, results.ts and stored-session.ts). It imports nothing: a module
// would run too late.
const root = document.documentElement;

function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`bout-${name}`);
  } catch {
    // Without storage nothing can have been chosen or watched.
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

/** Lets a style make room for what a signed-in reader sees, before the session has been checked. */
function markSession(): void {
  if (readStored("account") !== null) root.dataset.account = "";
}

function hideResult(): void {
  const isLate = location.hash === "#live";
  if (isLate) root.dataset.late = "";
  const isChosen = readStored("results") === "hidden";
  const watched = readStored("watched")?.split(" ") ?? [];
  const id = location.pathname.split("/").at(-1) ?? "";
  if ((isChosen || isLate) && !watched.includes(id)) root.dataset.results = "hidden";
}

applyStoredTheme();
markSession();
if (location.pathname.startsWith("/match/")) hideResult();
