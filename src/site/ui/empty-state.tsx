import type { ComponentChildren } from "preact";

/** Each message says what will appear and how to make it appear. */
const EMPTY_STATE_TEXTS = {
  ladder: "No ranked bots yet. The first bot with enough rated games takes rank 1.",
  season: "A new season has started. No bot is ranked yet.",
  closed: "This ladder closed before any bot was ranked.",
  upcoming: "Matches start when this ladder opens.",
  matches: "No matches yet. The first one will appear here.",
  "bot's matches": "This bot hasn't played yet. Its first match will appear here.",
  "bot's matches here": "This bot hasn't played on this ladder.",
  running: "No matches running. Bots are paired every two seconds.",
  "account's bots": "You have no bots yet. Create one, or claim one if you have its token.",
  "account's ladders": "You haven't joined any other ladders.",
  "account's keys": "No agent keys yet.",
  "account's programs": "No connected apps.",
  "person's bots": "No bots yet.",
  events: "No events yet.",
  found: "No results for these filters.",
} as const;

type EmptyStateProps = {
  subject: keyof typeof EMPTY_STATE_TEXTS;
  children?: ComponentChildren;
};

export function EmptyState({ subject, children }: EmptyStateProps) {
  return (
    <p class="empty">
      {EMPTY_STATE_TEXTS[subject]} {children}
    </p>
  );
}
