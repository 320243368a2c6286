import { h } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { AuthContext } from "#site/sign-in/auth-context.ts";

import { adminPanelFor, ADMIN_PANELS } from "./admin-panels.ts";
import { adminPath } from "./console-location.ts";
import type { ConsoleData } from "./data.ts";
import { UnsavedChangesDialog } from "./unsaved-changes-dialog.tsx";
import { useConsoleLocation } from "./use-console-location.ts";

/** Shows one console part. Each part has its own URL, so browser history works. */
export function AdminConsole({ data, auth }: { data: ConsoleData; auth: AuthContext }) {
  const {
    place: consoleLocation,
    go: navigate,
    root: rootRef,
    keep: setUnsavedWarning,
    question: leaveRequest,
    onStay,
  } = useConsoleLocation();
  const part = adminPanelFor(consoleLocation.part);
  const heading = useRef<HTMLHeadingElement>(null);
  const nav = useRef<HTMLElement>(null);
  const hasNavigated = useRef(false);
  useEffect(() => {
    scrollToCurrent(nav.current);
    document.title = `${part.title} · Console`;
    if (hasNavigated.current) heading.current?.focus();
    hasNavigated.current = true;
  }, [part, consoleLocation.selectedId]);
  return (
    <div class="console" ref={rootRef}>
      <nav ref={nav} class="console-parts" aria-label="Parts of the console">
        {ADMIN_PANELS.map(({ id, title }) => (
          <a key={id} href={adminPath(id)} aria-current={id === part.id ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div class="console-part">
        <h1 ref={heading} tabIndex={-1}>
          {part.title}
        </h1>
        {h(part.view, {
          key: `${part.id} ${consoleLocation.selectedId}`,
          data,
          auth,
          selectedId: consoleLocation.selectedId,
          onSelect: (selectedId) => navigate({ part: part.id, selectedId }),
          setUnsavedWarning,
        })}
      </div>
      {leaveRequest !== null && <UnsavedChangesDialog {...leaveRequest} onStay={onStay} />}
    </div>
  );
}

/** On phones, the tabs are wider than the screen, so the current tab must be scrolled into view. */
function scrollToCurrent(nav: HTMLElement | null): void {
  const current = nav?.querySelector<HTMLElement>("[aria-current]");
  if (!nav || !current) return;
  nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}
