import type { StandingsScope } from "#site/ui/links.ts";

import { STANDINGS_PAGE_SIZE } from "./data.ts";
import type { LadderData, StandingsFilter } from "./data.ts";
import { resultsPath, standingsPath } from "./standings-urls.ts";

type StandingsFiltersProps = { scope: StandingsScope; filter: StandingsFilter };

/** Filters the standings with a form and links. Works without JavaScript. */
export function StandingsFilters({ scope, filter }: StandingsFiltersProps) {
  const { show, online, q, owner } = filter;
  const filterLink = (text: string, change: StandingsFilter, isActive: boolean) => (
    <a
      key={text}
      class="chip"
      href={standingsPath(scope, { ...filter, ...change })}
      aria-current={isActive ? "true" : undefined}
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
          Search for a bot or owner
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
        {filterLink("All", { show: undefined }, show === undefined)}
        {filterLink("Players", { show: "players" }, show === "players")}
        {filterLink("House", { show: "house" }, show === "house")}
        {filterLink("Online now", { online: online === "1" ? undefined : "1" }, online === "1")}
        {owner !== undefined && filterLink(`by ${owner} ×`, { owner: undefined }, true)}
        {q !== undefined && filterLink(`“${q}” ×`, { q: undefined }, true)}
      </nav>
    </div>
  );
}

/** Number of months to link to. The results page links to older months. */
const SHOWN_MONTHS = 6;

export function ScopeNavigation({ data }: { data: LadderData }) {
  const { ladder, ladders, season, seasons } = data;
  const shownSeasons = seasons.slice(0, SHOWN_MONTHS);
  const isListed = season === null || shownSeasons.some(({ id }) => id === season.id);
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
          {(isListed ? shownSeasons : [...shownSeasons, season]).map(({ id, name, state }) => (
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

type StandingsPagerProps = StandingsFiltersProps & { offset: number; matchCount: number };

export function StandingsPager({ scope, filter, offset, matchCount }: StandingsPagerProps) {
  const lastPage = Math.max(1, Math.ceil(matchCount / STANDINGS_PAGE_SIZE));
  const page = Math.floor(offset / STANDINGS_PAGE_SIZE) + 1;
  if (lastPage === 1) return null;
  return (
    <nav class="pager" aria-label="Standings pages">
      {pagerItems(page, lastPage).map((pageNumber, index) =>
        pageNumber === null ? (
          <span key={`gap-${index}`} aria-hidden="true">
            …
          </span>
        ) : (
          <a
            key={pageNumber}
            class="chip"
            href={standingsPath(scope, filter, pageNumber)}
            aria-current={pageNumber === page ? "page" : undefined}
            aria-label={`Page ${pageNumber}`}
          >
            {pageNumber}
          </a>
        ),
      )}
    </nav>
  );
}

/** Returns the first and last page and the pages around the current one. Null marks a gap. */
function pagerItems(page: number, lastPage: number): (number | null)[] {
  const pageNumbers = [1, page - 1, page, page + 1, lastPage].filter(
    (pageNumber) => pageNumber >= 1 && pageNumber <= lastPage,
  );
  const pages = [...new Set(pageNumbers)];
  return pages.flatMap((pageNumber, index) =>
    pageNumber - (pages[index - 1] ?? 0) > 1 ? [null, pageNumber] : [pageNumber],
  );
}
