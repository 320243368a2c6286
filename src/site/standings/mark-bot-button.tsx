import type { MyBots } from "./use-my-bots.ts";

const STAR_ICON = (
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d="M10 2.2 12.4 7.4 18 8.1 13.9 12 15 17.6 10 14.8 5 17.6 6.1 12 2 8.1 7.6 7.4Z" />
  </svg>
);

type MarkBotButtonProps = { name: string; displayName: string; myBots: MyBots };

/** Stars a bot as the visitor's own. Hidden until hydrated. */
export function MarkBotButton({
  name,
  displayName,
  myBots: { names, ownedNames, isReady, toggleMark },
}: MarkBotButtonProps) {
  if (ownedNames.includes(name))
    return (
      <span class="star owned" title="Your bot">
        {STAR_ICON}
        <span class="visually-hidden">Your bot</span>
      </span>
    );
  const isMarked = names.includes(name);
  return (
    <button
      type="button"
      class={`star ${isReady ? "" : "unready"}`}
      aria-pressed={isMarked}
      aria-label={`${displayName} is mine`}
      title={isMarked ? "Your bot. Click to remove the star." : "Star as your bot"}
      onClick={() => toggleMark(name)}
    >
      {STAR_ICON}
    </button>
  );
}
