import type { ComponentChildren } from "preact";

/** What is missing so far, and what will bring it. */
const EMPTY_WORDS = {
  ladder: "Nobody is ranked here yet. The first bot with enough rated games takes rank 1.",
  season: "A new season has begun, and everybody starts over. Nobody is ranked in it yet.",
  closed: "This ladder closed before anybody was ranked on it.",
  upcoming: "Nobody plays on it before it opens.",
  matches: "No bout has been fought yet. The first one will stand here.",
  "bot's matches": "This bot has not fought yet. Its first bout will stand here.",
  "bot's matches here": "This bot has not fought on this ladder.",
  running: "No bout at this moment. Bots are paired every two seconds.",
  "account's bots": "You have no bot yet. Create one, or claim one that you have the token of.",
  "account's ladders": "You are in no other ladder.",
  "account's keys": "No key is out.",
  "account's programs": "You have let no program in.",
  "person's bots": "No bot yet.",
  events: "No events yet.",
  found: "Nothing matches these filters.",
} as const;

type EmptyProps = {
  of: keyof typeof EMPTY_WORDS;
  /** What to do about it, or how much is missing. */
  children?: ComponentChildren;
};

/** Says why a place on a page is empty. */
export function Empty({ of, children }: EmptyProps) {
  return (
    <p class="empty">
      {EMPTY_WORDS[of]} {children}
    </p>
  );
}
