import { useEffect, useState } from "preact/hooks";

import { pageAgain, startPolling } from "#site/public/poll.ts";
import { standingsPath } from "#site/standings/addresses.ts";
import type { HomeData } from "#site/standings/data.ts";

import { Countdown } from "./countdown.tsx";
import type { Occasion } from "./data.ts";
import { achievementsPath, enterPath } from "./words.ts";

type OccasionsProps = Pick<HomeData, "now"> & { first: readonly Occasion[] };

/** The front page may stay open on a wall. */
const LOOK_EVERY_MS = 15_000;

/** One line for each: what is on, until when, and the ways there. */
export function Occasions({ first, now }: OccasionsProps) {
  const [occasions, setOccasions] = useState(first);
  useEffect(
    () =>
      startPolling({
        load: () => pageAgain<HomeData>(),
        everyMs: LOOK_EVERY_MS,
        onData: (news) => news !== null && setOccasions(news.occasions),
        onTrouble: () => {},
      }),
    [],
  );
  if (occasions.length === 0) return null;
  return (
    <section class="occasions" aria-label="On now and next">
      <ul>
        {occasions.map((one) => (
          <Line key={`${one.kind} ${one.id}`} occasion={one} now={now} />
        ))}
      </ul>
      <p class="sub">
        <a href="/ladders">All ladders</a>
      </p>
    </section>
  );
}

function Line({ occasion, now }: { occasion: Occasion; now: number }) {
  const { kind, id, name, phase, opens_at, closes_at } = occasion;
  const at = phase === "upcoming" ? opens_at : closes_at;
  const href = kind === "ladder" ? standingsPath({ ladder: id }) : achievementsPath(id);
  return (
    <li>
      <a class="occasion-name" href={href}>
        <bdi>{name}</bdi>
      </a>
      <span>{phase === "open" ? "is on now" : "comes next"}</span>
      {at !== null && <Countdown verb={phase === "open" ? "Closes" : "Opens"} at={at} now={now} />}
      <a class="sub" href={kind === "ladder" ? enterPath(id) : href}>
        {kind === "ladder" ? "How to get in" : "What there is to earn"}
      </a>
    </li>
  );
}
