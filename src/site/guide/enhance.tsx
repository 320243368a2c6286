// What scripts add to a guide: copy buttons, and the section in view in the table of contents.

import { render } from "preact";

import { CopyButton } from "#site/ui/copy-button.tsx";

/** The part of the window, from its top, that decides which section is in view. */
const READING_AREA = "0px 0px -70% 0px";

export function enhanceGuide(page: HTMLElement): void {
  for (const figure of page.querySelectorAll<HTMLElement>("figure.code")) addCopyButton(figure);
  openMenusBesideText(page);
  markSectionInView(page);
  showCurrentGuide(page);
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
  const links = new Map(
    [...page.querySelectorAll<HTMLAnchorElement>(".guide-toc a")].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  const observer = new IntersectionObserver(
    (entries) => {
      const heading = entries.findLast(({ isIntersecting }) => isIntersecting)?.target;
      if (heading === undefined) return;
      for (const [id, link] of links)
        if (id === heading.id) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
    },
    { rootMargin: READING_AREA },
  );
  for (const id of links.keys()) {
    const heading = document.getElementById(id);
    if (heading !== null) observer.observe(heading);
  }
}

/** Scrolls the navigation, which can be longer than the window, to the current guide. */
function showCurrentGuide(page: HTMLElement): void {
  const nav = page.querySelector<HTMLElement>(".guide-nav");
  const link = nav?.querySelector<HTMLElement>("[aria-current]");
  if (nav && link) nav.scrollTop = link.offsetTop - nav.offsetTop - nav.clientHeight / 2;
}
