// What operators tell everybody: notices at the edge of every page, each until it was seen.

import { SECOND_MS } from "#base/units/time.ts";
import type { Announcement } from "#core/resources/announcement.ts";
import { ANNOUNCEMENT_LIMITS } from "#core/words/announcement-limits.ts";

import { getJson, startPolling } from "./poll.ts";
import { recall, remember } from "./remember.ts";

const EVERY_MS = ANNOUNCEMENT_LIMITS.announcements_poll_s.default * SECOND_MS;
/** A page has its own work first. */
const FIRST_MS = 500;
/** A notice that was on the screen for so long was seen; a page that is left at once shows none. */
const SEEN_MS = 5000;
/** At once; the next come when these are closed. On a narrow screen one hides enough already. */
const mostShown = (): number => (matchMedia(NARROW).matches ? 1 : 3);
const NARROW = "(width < 600px)";
/** As many as the API lists, twice: an older one cannot come back. */
const MOST_REMEMBERED = 200;
const SEEN = "notices";

/** Asks for notices while somebody looks at the page. */
export function watchNotices(place: HTMLElement): void {
  const shown = new Map<string, HTMLElement>();
  let latest: readonly Announcement[] = [];
  const show = () => {
    for (const [id, card] of shown)
      if (!latest.some((one) => one.id === id)) {
        card.remove();
        shown.delete(id);
      }
    const seen = seenSoFar();
    for (const one of latest) {
      const card = shown.get(one.id);
      if (card !== undefined) write(card, one);
      else if (shown.size < mostShown() && !seen.includes(one.id)) {
        const made = cardOf(one, () => close(one.id));
        shown.set(one.id, made);
        place.append(made);
        setTimeout(() => shown.has(one.id) && note(one.id), SEEN_MS);
      }
    }
  };
  const close = (id: string) => {
    note(id);
    shown.get(id)?.remove();
    shown.delete(id);
    show();
  };
  const load = async () => (await getJson<Announcement[]>("/api/announcements")).value;
  const onData = (told: readonly Announcement[]) => {
    latest = told;
    show();
  };
  setTimeout(() => {
    if (!document.hidden) load().then(onData, () => {});
    startPolling({ everyMs: EVERY_MS, load, onData, onTrouble: () => {} });
  }, FIRST_MS);
}

const seenSoFar = (): string[] => recall(SEEN)?.split(" ") ?? [];

function note(id: string): void {
  const seen = seenSoFar().filter((one) => one !== id);
  remember(SEEN, [...seen, id].slice(-MOST_REMEMBERED).join(" "));
}

/** A notice as pages show it. */
export function cardOf(
  announcement: Pick<Announcement, "title" | "body">,
  close: () => void,
): HTMLElement {
  const card = document.createElement("section");
  card.className = "announcement";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet";
  button.textContent = "Close";
  button.addEventListener("click", close);
  const words = document.createElement("p");
  new ResizeObserver(() => letScroll(words)).observe(words);
  card.append(document.createElement("h2"), words, button);
  write(card, announcement);
  return card;
}

/** Words for which the card is too low can be scrolled without a pointer too. */
function letScroll(words: HTMLElement): void {
  if (words.scrollHeight > words.clientHeight) words.tabIndex = 0;
  else words.removeAttribute("tabindex");
}

/** Text from people is text. What stays the same is left alone, so that nothing is read out twice. */
function write(card: HTMLElement, { title, body }: Pick<Announcement, "title" | "body">): void {
  for (const [tag, text] of [
    ["h2", title],
    ["p", body],
  ] as const) {
    const part = card.querySelector(tag);
    if (part !== null && part.textContent !== text) part.textContent = text;
  }
  card.setAttribute("aria-label", title);
}
