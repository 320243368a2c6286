import { useEffect } from "preact/hooks";

import type { Match } from "#core/resources/match.ts";
import { botPath, matchPath } from "#site/look/links.ts";
import { Key, areKeysOn } from "#site/viewer/keys.tsx";
import { hasOwnKeys } from "#site/viewer/use-stage.ts";

import type { Around, Neighbour } from "./data.ts";

type NeighboursProps = { around: readonly Around[]; match: Match };

/** The bouts before and after this one in the list of each of its bots, without their results. */
export function Neighbours({ around, match }: NeighboursProps) {
  if (around.length === 0) return null;
  return (
    <nav class="neighbours" aria-label="Other bouts of these bots">
      {around.map(({ bot, previous, next }, seat) => (
        <div key={bot}>
          <p class="neighbours-bot">
            <a href={botPath(bot)}>
              <bdi>{match.bots[seat]?.display_name ?? bot}</bdi>
            </a>
          </p>
          <Way to={previous} rel="prev" />
          <Way to={next} rel="next" />
        </div>
      ))}
    </nav>
  );
}

const WAYS = {
  prev: { label: "Previous", none: "no earlier bout" },
  next: { label: "Next", none: "no later bout yet" },
} as const;

function Way({ to, rel }: { to: Neighbour | null; rel: keyof typeof WAYS }) {
  const { label, none } = WAYS[rel];
  if (to === null) return <p class={`sub ${rel}`}>{none}</p>;
  return (
    <p class={rel}>
      <a href={matchPath(to.id)} rel={rel}>
        <span class="toward">{label}</span> vs <bdi>{to.opponent}</bdi>
      </a>
    </p>
  );
}

/** Rows for the list of keys. */
export function NeighbourKeys({ around: [first, second] }: { around: readonly Around[] }) {
  if (first === undefined || second === undefined) return null;
  return (
    <>
      <Key keys={["p", "n"]} does={`previous or next bout of ${first.bot}`} />
      <Key keys={["shift p", "shift n"]} does={`the same of ${second.bot}`} />
    </>
  );
}

/** Lets the keys lead to the bouts before and after this one. */
export function useNeighbourKeys(around: readonly Around[]): void {
  useEffect(() => {
    const gone = new AbortController();
    const onKey = (event: KeyboardEvent): void => {
      const isElsewhere =
        event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(event.target);
      const to = neighbourAt(around, event.key, event.shiftKey);
      if (!isElsewhere && to !== null && areKeysOn()) location.href = matchPath(to.id);
    };
    document.addEventListener("keydown", onKey, { signal: gone.signal });
    return () => gone.abort();
  }, [around]);
}

function neighbourAt(around: readonly Around[], key: string, shift: boolean): Neighbour | null {
  const own = around[shift ? 1 : 0];
  if (key.toLowerCase() === "p") return own?.previous ?? null;
  return key.toLowerCase() === "n" ? (own?.next ?? null) : null;
}
