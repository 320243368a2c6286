// Chunks can be missing if the server was upgraded twice since the page was opened.

const RELOAD_NOTICE_ID = "reload";

/** Offers a reload, once per page. Never reloads by itself, so it can't loop. */
export function showReloadNotice(): void {
  if (document.getElementById(RELOAD_NOTICE_ID) !== null) return;
  const notice = document.createElement("p");
  notice.id = RELOAD_NOTICE_ID;
  notice.className = "notice bad";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = "Reload page";
  button.addEventListener("click", () => location.reload());
  notice.append("Part of this page couldn't be loaded. ", button);
  (document.getElementById("notices") ?? document.body).append(notice);
}
