// Operator announcements at the edge of every page, shown until closed.

import { SECOND_MS } from "#base/util/time.ts";
import type { Announcement } from "#core/api/announcement.ts";
import { ANNOUNCEMENT_LIMITS } from "#core/limits/announcement-limits.ts";

import { fetchJson, startPolling } from "./poll.ts";
import { readSetting, saveSetting } from "./settings-storage.ts";

const POLL_INTERVAL_MS = ANNOUNCEMENT_LIMITS.announcements_poll_s.default * SECOND_MS;
/** Delay, so that the page loads first. */
const INITIAL_DELAY_MS = 500;
/** A notice counts as seen after this time on screen. A page that is left sooner shows none. */
const SEEN_AFTER_MS = 5000;
/** Max notices shown at a time. A narrow screen shows one. */
const maxVisibleCards = (): number => (matchMedia(NARROW_QUERY).matches ? 1 : 3);
const NARROW_QUERY = "(width < 600px)";
/** Twice the max number the API lists, so an older one can't reappear. */
const MAX_SEEN_IDS = 200;
const SEEN_STORAGE_KEY = "notices";

/** Polls announcements while the page is visible. */
export function showAnnouncements(container: HTMLElement): void {
  const cardsById = new Map<string, HTMLElement>();
  let latest: readonly Announcement[] = [];
  const render = () => {
    for (const [id, card] of cardsById)
      if (!latest.some((announcement) => announcement.id === id)) {
        card.remove();
        cardsById.delete(id);
      }
    const seenIds = loadSeenIds();
    for (const announcement of latest) {
      const card = cardsById.get(announcement.id);
      if (card !== undefined) updateCard(card, announcement);
      else if (cardsById.size < maxVisibleCards() && !seenIds.includes(announcement.id)) {
        const newCard = createAnnouncementCard(announcement, () => closeCard(announcement.id));
        cardsById.set(announcement.id, newCard);
        container.append(newCard);
        setTimeout(
          () => cardsById.has(announcement.id) && markSeen(announcement.id),
          SEEN_AFTER_MS,
        );
      }
    }
  };
  const closeCard = (id: string) => {
    markSeen(id);
    cardsById.get(id)?.remove();
    cardsById.delete(id);
    render();
  };
  const load = async () => (await fetchJson<Announcement[]>("/api/announcements")).value;
  const onData = (announcements: readonly Announcement[]) => {
    latest = announcements;
    render();
  };
  setTimeout(() => {
    if (!document.hidden) load().then(onData, () => {});
    startPolling({ intervalMs: POLL_INTERVAL_MS, load, onData, onError: () => {} });
  }, INITIAL_DELAY_MS);
}

const loadSeenIds = (): string[] => readSetting(SEEN_STORAGE_KEY)?.split(" ") ?? [];

function markSeen(id: string): void {
  const seenIds = loadSeenIds().filter((seenId) => seenId !== id);
  saveSetting(SEEN_STORAGE_KEY, [...seenIds, id].slice(-MAX_SEEN_IDS).join(" "));
}

/** An announcement card. */
export function createAnnouncementCard(
  announcement: Pick<Announcement, "title" | "body">,
  onClose: () => void,
): HTMLElement {
  const card = document.createElement("section");
  card.className = "announcement";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet";
  button.textContent = "Close";
  button.addEventListener("click", onClose);
  const paragraph = document.createElement("p");
  new ResizeObserver(() => enableScrolling(paragraph)).observe(paragraph);
  card.append(document.createElement("h2"), paragraph, button);
  updateCard(card, announcement);
  return card;
}

/** Long text can be scrolled by keyboard too. */
function enableScrolling(paragraph: HTMLElement): void {
  if (paragraph.scrollHeight > paragraph.clientHeight) paragraph.tabIndex = 0;
  else paragraph.removeAttribute("tabindex");
}

/** Sets text without HTML. Unchanged text is left alone, so that screen readers don't repeat it. */
function updateCard(
  card: HTMLElement,
  { title, body }: Pick<Announcement, "title" | "body">,
): void {
  for (const [tag, text] of [
    ["h2", title],
    ["p", body],
  ] as const) {
    const element = card.querySelector(tag);
    if (element !== null && element.textContent !== text) element.textContent = text;
  }
  card.setAttribute("aria-label", title);
}
