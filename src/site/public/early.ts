// Runs before anything is painted, so that a hidden result is never seen (see results.ts). It
// imports nothing: a module would run too late.
const root = document.documentElement;
const isLate = location.hash === "#live";
if (isLate) root.dataset.late = "";
try {
  const isChosen = localStorage.getItem("bout-results") === "hidden";
  const watched = localStorage.getItem("bout-watched")?.split(" ") ?? [];
  const id = location.pathname.split("/").at(-1) ?? "";
  if ((isChosen || isLate) && !watched.includes(id)) root.dataset.results = "hidden";
} catch {
  // Without storage nothing can have been chosen or watched.
  if (isLate) root.dataset.results = "hidden";
}
