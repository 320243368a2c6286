// Shows operator announcements at the edge of every page until the visitor closes them.

import { SECOND_MS } from "#base/util/time.ts";
import type { Announcement } from "#core/api/announcement.ts";
import { ANNOUNCEMENT_LIMITS } from "#core/limits/announcement-limits.ts";

import { fetchJson, startPolling } from "./poll.ts";
import { readSetting, saveSetting } from "./settings-storage.ts";

const POLL_INTERVAL_MS = ANNOUNCEMENT_LIMITS.announcements_poll_s.default * SECOND_MS;
const INITIAL_DELAY_MS = 500;
/**
 * An announcement counts as seen after this time on screen. Visitors who leave the page sooner see
 * it again.
 */
const SEEN_AFTER_MS = 5000;
const maxVisibleCards = (): number => (matchMedia(NARROW_QUERY).matches ? 1 : 3);
const NARROW_QUERY = "(width < 600px)";
/** Twice the number the API lists, so an old announcement can't reappear. */
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

/** Makes long text scrollable by keyboard. */
function enableScrolling(paragraph: HTMLElement): void {
  if (paragraph.scrollHeight > paragraph.clientHeight) paragraph.tabIndex = 0;
  else paragraph.removeAttribute("tabindex");
}

/**
 * Sets text content, never HTML. Leaves unchanged text alone, so screen readers don't repeat it.
 */
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
