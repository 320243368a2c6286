import { useEffect } from "preact/hooks";

import type { Match } from "#core/api/match.ts";
import type { AdjacentMatches, AdjacentMatch } from "#site/shell/data.ts";
import { botPath, matchPath } from "#site/ui/links.ts";
import { ShortcutRow, isShortcutEvent } from "#site/viewer/keyboard-shortcuts.tsx";

type AdjacentMatchLinksProps = { adjacentMatches: readonly AdjacentMatches[]; match: Match };

/** Links to each bot's previous and next match without showing results. */
export function AdjacentMatchLinks({ adjacentMatches, match }: AdjacentMatchLinksProps) {
  if (adjacentMatches.length === 0) return null;
  return (
    <nav class="neighbours" aria-label="More matches with these bots">
      {adjacentMatches.map(({ bot, previous, next }, seat) => (
        <div key={bot}>
          <p class="neighbours-bot">
            <a href={botPath(bot)}>
              <bdi>{match.bots[seat]?.display_name ?? bot}</bdi>
            </a>
          </p>
          <AdjacentMatchLink targetMatch={previous} rel="prev" />
          <AdjacentMatchLink targetMatch={next} rel="next" />
        </div>
      ))}
    </nav>
  );
}

const DIRECTION_TEXTS = {
  prev: { label: "Previous", none: "no earlier match" },
  next: { label: "Next", none: "no later match yet" },
} as const;

function AdjacentMatchLink({
  targetMatch,
  rel,
}: {
  targetMatch: AdjacentMatch | null;
  rel: keyof typeof DIRECTION_TEXTS;
}) {
  const { label, none: emptyText } = DIRECTION_TEXTS[rel];
  if (targetMatch === null) return <p class={`sub ${rel}`}>{emptyText}</p>;
  return (
    <p class={rel}>
      <a href={matchPath(targetMatch.id)} rel={rel}>
        <span class="toward">{label}</span> vs <bdi>{targetMatch.opponent}</bdi>
      </a>
    </p>
  );
}

export function AdjacentMatchKeys({
  adjacentMatches: [firstBot, secondBot],
}: {
  adjacentMatches: readonly AdjacentMatches[];
}) {
  if (firstBot === undefined || secondBot === undefined) return null;
  return (
    <>
      <ShortcutRow keys={["p", "n"]} description={`previous or next match of ${firstBot.bot}`} />
      <ShortcutRow keys={["shift p", "shift n"]} description={`same for ${secondBot.bot}`} />
    </>
  );
}

/** Adds keyboard shortcuts for each bot's previous and next match. */
export function useAdjacentMatchKeys(adjacentMatches: readonly AdjacentMatches[]): void {
  useEffect(() => {
    const controller = new AbortController();
    const onKey = (event: KeyboardEvent): void => {
      const targetMatch = adjacentMatchForKey(adjacentMatches, event.key, event.shiftKey);
      if (targetMatch !== null && isShortcutEvent(event)) location.href = matchPath(targetMatch.id);
    };
    document.addEventListener("keydown", onKey, { signal: controller.signal });
    return () => controller.abort();
  }, [adjacentMatches]);
}

function adjacentMatchForKey(
  adjacentMatches: readonly AdjacentMatches[],
  key: string,
  shift: boolean,
): AdjacentMatch | null {
  const botMatches = adjacentMatches[shift ? 1 : 0];
  if (key.toLowerCase() === "p") return botMatches?.previous ?? null;
  return key.toLowerCase() === "n" ? (botMatches?.next ?? null) : null;
}
