import { h } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Desk } from "#site/sign-in/desk.ts";

import type { ConsoleData } from "./data.ts";
import { Leaving } from "./leaving.tsx";
import { partOf, PARTS } from "./parts.ts";
import { consolePath } from "./place.ts";
import { useConsolePlace } from "./use-place.ts";

/** The parts, one at a time. Each has an address, and the browser's own way back. */
export function Console({ data, desk }: { data: ConsoleData; desk: Desk }) {
  const { place, go, root, keep, question, stay } = useConsolePlace();
  const part = partOf(place.part);
  const heading = useRef<HTMLHeadingElement>(null);
  const nav = useRef<HTMLElement>(null);
  const wasMoved = useRef(false);
  useEffect(() => {
    bringIntoSight(nav.current);
    document.title = `${part.title} · Console`;
    if (wasMoved.current) heading.current?.focus();
    wasMoved.current = true;
  }, [part, place.of]);
  return (
    <div class="console" ref={root}>
      <nav ref={nav} class="console-parts" aria-label="Parts of the console">
        {PARTS.map(({ id, title }) => (
          <a key={id} href={consolePath(id)} aria-current={id === part.id ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div class="console-part">
        <h1 ref={heading} tabIndex={-1}>
          {part.title}
        </h1>
        {h(part.view, {
          key: `${part.id} ${place.of}`,
          data,
          desk,
          of: place.of,
          look: (of) => go({ part: part.id, of }),
          keep,
        })}
      </div>
      {question !== null && <Leaving {...question} stay={stay} />}
    </div>
  );
}

/** On a phone the parts are wider than the window. */
function bringIntoSight(nav: HTMLElement | null): void {
  const current = nav?.querySelector<HTMLElement>("[aria-current]");
  if (!nav || !current) return;
  nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}
