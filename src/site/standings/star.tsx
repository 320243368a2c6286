import type { MyBots } from "./my-bots.ts";

const SHAPE = (
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d="M10 2.2 12.4 7.4 18 8.1 13.9 12 15 17.6 10 14.8 5 17.6 6.1 12 2 8.1 7.6 7.4Z" />
  </svg>
);

type StarProps = { name: string; display: string; mine: MyBots };

/** Marks a bot as the reader's own. It works once a script runs; until then it cannot be seen. */
export function Star({ name, display, mine: { names, owned, isReady, toggle } }: StarProps) {
  if (owned.includes(name))
    return (
      <span class="star owned" title="Your bot">
        {SHAPE}
        <span class="visually-hidden">Your bot</span>
      </span>
    );
  const isMine = names.includes(name);
  return (
    <button
      type="button"
      class={`star ${isReady ? "" : "unready"}`}
      aria-pressed={isMine}
      aria-label={`${display} is mine`}
      title={isMine ? "Yours. Click to unmark it." : "Mark as yours"}
      onClick={() => toggle(name)}
    >
      {SHAPE}
    </button>
  );
}
