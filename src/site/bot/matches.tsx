import { EmptyState } from "#site/ui/empty-state.tsx";
import { botPath } from "#site/ui/links.ts";
import { Section } from "#site/ui/section.tsx";

import { botPartPath, partParameters } from "./bot-links.ts";
import { CursorPager } from "./cursor-pager.tsx";
import type { BotData } from "./data.ts";
import { MatchList } from "./match-list.tsx";
import { VersionDatalist } from "./version-datalist.tsx";

type MatchesPanelProps = { data: Extract<BotData, { part: "matches" }> };

/** Lists a bot's matches. Filters are in the URL, so a filtered list can be shared. */
export function MatchesPanel({ data }: MatchesPanelProps) {
  const { bot, scope, filter, matches, olderCursor, isFirstPage, now } = data;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Section id="matches" title="Matches">
      <MatchFilters data={data} />
      {matches === null ? (
        <p class="empty">No such version, opponent, map or match.</p>
      ) : matches.length === 0 ? (
        <EmptyState subject={isFiltered || !isFirstPage ? "found" : "bot's matches"} />
      ) : (
        <MatchList bot={bot} matches={matches} now={now} />
      )}
      <CursorPager
        newestPath={isFirstPage ? null : botPartPath(bot.name, scope, "matches", filter)}
        olderPath={
          olderCursor && botPartPath(bot.name, scope, "matches", { ...filter, before: olderCursor })
        }
        itemsName="matches"
      />
    </Section>
  );
}

const RESULT_LABELS = { W: "won", L: "lost", D: "drawn" } as const;

function MatchFilters({ data: { bot, scope, filter, labels, maps } }: MatchesPanelProps) {
  return (
    <form class="bot-filters" action={botPath(bot.name)}>
      {partParameters(scope, "matches").map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label>
        Version
        <input type="text" name="version" list="labels" value={filter.version ?? ""} />
      </label>
      <VersionDatalist labels={labels} />
      <label>
        Opponent
        <input type="text" name="opponent" value={filter.opponent ?? ""} spellcheck={false} />
      </label>
      <FilterSelect name="map" label="Map" value={filter.map} optionText={optionTexts(maps)} />
      <FilterSelect name="result" label="Result" value={filter.result} optionText={RESULT_LABELS} />
      <button class="button quiet" type="submit">
        Filter
      </button>
    </form>
  );
}

const optionTexts = (maps: readonly string[]): Record<string, string> =>
  Object.fromEntries(maps.map((map) => [map, map]));

type FilterSelectProps = {
  name: string;
  label: string;
  value: string | undefined;
  optionText: Readonly<Record<string, string>>;
};

function FilterSelect({ name, label, value, optionText }: FilterSelectProps) {
  return (
    <label>
      {label}
      <select name={name}>
        <option value="">any</option>
        {Object.entries(optionText).map(([optionValue, text]) => (
          <option key={optionValue} value={optionValue} selected={optionValue === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
