// The search field of the guides: its results and keys. A chunk of its own.

import { render } from "preact";

import type { GuideSection } from "./data.ts";
import { indexSections, MAX_RESULTS } from "./search-index.ts";
import type { GuideIndex, GuideResult } from "./search-index.ts";

const SECTIONS_PATH = "/docs/sections.json";

export function startSearch(search: HTMLElement, input: HTMLInputElement): void {
  const container = search.querySelector(".guide-results");
  if (container === null) return;
  let index: GuideIndex | "loading" | "failed" = "loading";
  const show = () => render(<SearchResults query={input.value.trim()} index={index} />, container);
  const close = () => render(null, container);
  const load = () => {
    index = "loading";
    show();
    void loadIndex()
      .catch(() => "failed" as const)
      .then((loaded) => {
        index = loaded;
        if (search.contains(document.activeElement)) show();
      });
  };

  input.addEventListener("input", () => (index === "failed" ? load() : show()));
  input.addEventListener("focus", show);
  search.addEventListener("keydown", (event) => handleKey(event, { search, input, close }));
  search.addEventListener("focusout", ({ relatedTarget }) => {
    if (!search.contains(relatedTarget as Node | null)) close();
  });
  // A link within the page doesn't replace it.
  container.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("a") !== null) close();
  });
  load();
}

async function loadIndex(): Promise<GuideIndex> {
  const response = await fetch(SECTIONS_PATH);
  if (!response.ok) throw new Error(`${SECTIONS_PATH} answered ${response.status}`);
  return indexSections((await response.json()) as GuideSection[]);
}

type SearchParts = { search: HTMLElement; input: HTMLInputElement; close: () => void };

function handleKey(event: KeyboardEvent, { search, input, close }: SearchParts): void {
  const links = [...search.querySelectorAll("a")];
  const position = links.indexOf(document.activeElement as HTMLAnchorElement);
  const targets: Record<string, HTMLElement | undefined> = {
    ArrowDown: links[position + 1],
    ArrowUp: position > 0 ? links[position - 1] : input,
    Escape: input,
  };
  if (event.key === "Enter" && position === -1) links[0]?.click();
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
  if (event.key !== "Escape") return;
  input.value = "";
  close();
}

type SearchResultsProps = { query: string; index: GuideIndex | "loading" | "failed" };

function SearchResults({ query, index }: SearchResultsProps) {
  const results = typeof index === "function" && query !== "" ? index(query) : [];
  return (
    <div class="guide-found" hidden={query === ""}>
      <p class="sub" role="status">
        {query === "" ? "" : statusText({ query, index }, results.length)}
      </p>
      <ul>
        {results.map((result) => (
          <li key={result.href}>
            <ResultLink {...result} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function statusText({ query, index }: SearchResultsProps, count: number): string {
  if (index === "loading") return "Loading…";
  if (index === "failed") return "The guides couldn't be loaded. Type to try again.";
  if (count === 0) return `No results for “${query}”. Try other or fewer words.`;
  if (count === MAX_RESULTS) return `Best ${count} results`;
  return count === 1 ? "1 result" : `${count} results`;
}

function ResultLink({ href, title, heading, excerpt }: GuideResult) {
  return (
    <a href={href}>
      <strong>{heading === "" ? title : `${title}: ${heading}`}</strong>
      <span class="sub">
        {excerpt.map((part, index) => (index % 2 === 0 ? part : <mark key={index}>{part}</mark>))}
      </span>
    </a>
  );
}
