// What a page does if a part of its code is gone: two upgrades may have passed since it was opened.

const NOTICE = "reload";

/** Says once that the page needs a reload. Only the reader reloads it, so it never does so twice. */
export function offerReload(): void {
  if (document.getElementById(NOTICE) !== null) return;
  const notice = document.createElement("p");
  notice.id = NOTICE;
  notice.className = "notice bad";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = "Reload the page";
  button.addEventListener("click", () => location.reload());
  notice.append("A part of this page could not be loaded. ", button);
  (document.getElementById("notices") ?? document.body).append(notice);
}
