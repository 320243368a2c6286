// What scripts add to guides: search, copy buttons, and the section in view in the contents.

import { render } from "preact";

import { showReloadNotice } from "#site/shell/reload-notice.ts";
import { CopyButton } from "#site/ui/copy-button.tsx";

/** A section is in view once its heading is this close to the top, as after following its link. */
const READING_TOP_PX = 80;

export function enhanceGuide(page: HTMLElement): void {
  for (const figure of page.querySelectorAll<HTMLElement>("figure.code")) addCopyButton(figure);
  enableSearch(page);
  openMenusBesideText(page);
  markSectionInView(page);
  showCurrentGuide(page);
}

/** Loads the search when the field is first used. */
function enableSearch(page: HTMLElement): void {
  const search = page.querySelector<HTMLElement>(".guide-search");
  const input = search?.querySelector("input");
  if (!search || !input) return;
  const start = () =>
    void import("./search.tsx").then(
      ({ startSearch }) => startSearch(search, input),
      showReloadNotice,
    );
  if (document.activeElement === input) start();
  else input.addEventListener("focus", start, { once: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest("input, select, textarea") !== null) return;
    event.preventDefault();
    input.focus();
  });
}

/** Style sheets show these menus already. Opening them informs assistive technology. */
function openMenusBesideText(page: HTMLElement): void {
  for (const [selector, query] of Object.entries(WIDTHS_BESIDE_TEXT)) {
    const menu = page.querySelector<HTMLDetailsElement>(`${selector} > .guide-menu`);
    if (menu === null) continue;
    const media = matchMedia(query);
    menu.open = media.matches;
    media.addEventListener("change", () => (menu.open = media.matches));
  }
}

/** As in style-guide.css. */
const WIDTHS_BESIDE_TEXT = { ".guide-nav": "(width >= 64rem)", ".guide-toc": "(width >= 75rem)" };

function addCopyButton(figure: HTMLElement): void {
  const code = figure.querySelector("code")?.textContent ?? "";
  const label = figure.querySelector("figcaption")?.textContent ?? "code";
  const container = document.createElement("div");
  container.className = "code-copy";
  figure.append(container);
  render(<CopyButton text={withoutPrompts(code)} label={label} isIcon />, container);
}

/** Removes `$ ` before commands. A block with prompts also shows output, which isn't copied. */
export function withoutPrompts(code: string): string {
  const commands = [...code.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, command]) => command);
  return commands.length > 0 ? commands.join("\n") : code.trimEnd();
}

function markSectionInView(page: HTMLElement): void {
  const links = [...page.querySelectorAll<HTMLAnchorElement>(".guide-toc a")];
  const headings = links.map(({ hash }) => document.getElementById(hash.slice(1)));
  const update = () => {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 1;
    const isRead = (heading: HTMLElement | null) =>
      heading !== null && heading.getBoundingClientRect().top < READING_TOP_PX;
    const current = isAtEnd ? links.length - 1 : headings.findLastIndex(isRead);
    for (const [index, link] of links.entries())
      if (index === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
  };
  document.addEventListener("scroll", update, { passive: true });
  update();
}

/** Scrolls the navigation, which can be longer than the window, to the current guide. */
function showCurrentGuide(page: HTMLElement): void {
  const nav = page.querySelector<HTMLElement>(".guide-nav");
  const link = nav?.querySelector<HTMLElement>("[aria-current]");
  if (nav && link) nav.scrollTop = link.offsetTop - nav.offsetTop - nav.clientHeight / 2;
}
