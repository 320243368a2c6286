import type { Scope } from "#site/look/links.ts";

import { resultsPath, standingsPath } from "./addresses.ts";
import { PLACES_A_PAGE } from "./data.ts";
import type { LadderData, StandingsFilter } from "./data.ts";

type FilterProps = { scope: Scope; filter: StandingsFilter };

/** What of the standings is shown. A form and links, so it works without a script. */
export function Filters({ scope, filter }: FilterProps) {
  const { show, online, q, owner } = filter;
  const link = (text: string, change: StandingsFilter, isChosen: boolean) => (
    <a
      key={text}
      class="chip"
      href={standingsPath(scope, { ...filter, ...change })}
      aria-current={isChosen ? "true" : undefined}
    >
      {text}
    </a>
  );
  return (
    <div class="filters">
      <form class="search" role="search" action="/ladder" method="get">
        {Object.entries({ ...scope, show, online, owner }).map(
          ([name, value]) =>
            value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
        )}
        <label class="visually-hidden" for="search">
          Search for a bot or an owner
        </label>
        <input
          id="search"
          type="search"
          name="q"
          value={q ?? ""}
          maxLength={39}
          placeholder="Bot or owner"
          autoComplete="off"
          spellcheck={false}
        />
        <button type="submit" class="chip">
          Search
        </button>
      </form>
      <nav class="chips" aria-label="Filters">
        {link("Everybody", { show: undefined }, show === undefined)}
        {link("Players", { show: "players" }, show === "players")}
        {link("House", { show: "house" }, show === "house")}
        {link("Online now", { online: online === "1" ? undefined : "1" }, online === "1")}
        {owner !== undefined && link(`by ${owner} ×`, { owner: undefined }, true)}
        {q !== undefined && link(`“${q}” ×`, { q: undefined }, true)}
      </nav>
    </div>
  );
}

/** Months shown as links; older ones are at the results. */
const MONTHS_SHOWN = 6;

/** From one ladder or month to another. */
export function Scopes({ data }: { data: LadderData }) {
  const { ladder, ladders, season, seasons } = data;
  const shown = seasons.slice(0, MONTHS_SHOWN);
  const isKnown = season === null || shown.some(({ id }) => id === season.id);
  return (
    <div class="scopes">
      {ladders.length > 1 && (
        <nav class="chips" aria-label="Ladders">
          {ladders.map(({ id, name }) => (
            <a
              key={id}
              class="chip"
              href={standingsPath({ ladder: id === "public" ? undefined : id })}
              aria-current={id === ladder.id ? "page" : undefined}
            >
              <bdi>{name}</bdi>
            </a>
          ))}
        </nav>
      )}
      {season !== null && (
        <nav class="chips" aria-label="Months">
          {(isKnown ? shown : [...shown, season]).map(({ id, name, state }) => (
            <a
              key={id}
              class="chip"
              href={standingsPath({ season: state === "live" ? undefined : id })}
              aria-current={id === season.id ? "page" : undefined}
            >
              {name}
              {state === "live" && " (now)"}
            </a>
          ))}
          <a class="chip plain" href={resultsPath({})}>
            All results
          </a>
        </nav>
      )}
    </div>
  );
}

type PagerProps = FilterProps & { offset: number; found: number };

/** From one page of the standings to another. */
export function Pager({ scope, filter, offset, found }: PagerProps) {
  const last = Math.max(1, Math.ceil(found / PLACES_A_PAGE));
  const page = Math.floor(offset / PLACES_A_PAGE) + 1;
  if (last === 1) return null;
  return (
    <nav class="pager" aria-label="Pages of the standings">
      {pagesAround(page, last).map((number, at) =>
        number === null ? (
          <span key={`gap-${at}`} aria-hidden="true">
            …
          </span>
        ) : (
          <a
            key={number}
            class="chip"
            href={standingsPath(scope, filter, number)}
            aria-current={number === page ? "page" : undefined}
            aria-label={`Page ${number}`}
          >
            {number}
          </a>
        ),
      )}
    </nav>
  );
}

/** The first, the last and those around one; null for a gap. */
function pagesAround(page: number, last: number): (number | null)[] {
  const wanted = [1, page - 1, page, page + 1, last].filter((one) => one >= 1 && one <= last);
  const pages = [...new Set(wanted)];
  return pages.flatMap((one, at) => (one - (pages[at - 1] ?? 0) > 1 ? [null, one] : [one]));
}
