import { Empty } from "#site/look/empty.tsx";
import { botPath } from "#site/look/links.ts";
import { Section } from "#site/look/parts.tsx";

import { partPath, partValues } from "./bot-links.ts";
import type { BotData } from "./data.ts";
import { Labels } from "./labels.tsx";
import { MatchList } from "./match-list.tsx";
import { Pages } from "./pages.tsx";

type MatchesPartProps = { data: Extract<BotData, { part: "matches" }> };

/** A bot's matches, narrowed down by an address that can be kept and shared. */
export function MatchesPart({ data }: MatchesPartProps) {
  const { bot, scope, filter, matches, older, isFirst, now } = data;
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <Section id="matches" title="Matches">
      <Filters data={data} />
      {matches === null ? (
        <p class="empty">There is no such version, opponent, map or match.</p>
      ) : matches.length === 0 ? (
        <Empty of={isNarrowed || !isFirst ? "found" : "bot's matches"} />
      ) : (
        <MatchList bot={bot} matches={matches} now={now} />
      )}
      <Pages
        newest={isFirst ? null : partPath(bot.name, scope, "matches", filter)}
        older={older && partPath(bot.name, scope, "matches", { ...filter, before: older })}
        what="matches"
      />
    </Section>
  );
}

const RESULT_WORDS = { W: "won", L: "lost", D: "drawn" } as const;

function Filters({ data: { bot, scope, filter, labels, maps } }: MatchesPartProps) {
  return (
    <form class="bot-filters" action={botPath(bot.name)}>
      {partValues(scope, "matches").map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label>
        Version
        <input type="text" name="version" list="labels" value={filter.version ?? ""} />
      </label>
      <Labels labels={labels} />
      <label>
        Opponent
        <input type="text" name="opponent" value={filter.opponent ?? ""} spellcheck={false} />
      </label>
      <Choice name="map" label="Map" value={filter.map} words={wordsOf(maps)} />
      <Choice name="result" label="Result" value={filter.result} words={RESULT_WORDS} />
      <button class="button quiet" type="submit">
        Filter
      </button>
    </form>
  );
}

const wordsOf = (maps: readonly string[]): Record<string, string> =>
  Object.fromEntries(maps.map((map) => [map, map]));

type ChoiceProps = {
  name: string;
  label: string;
  value: string | undefined;
  words: Readonly<Record<string, string>>;
};

function Choice({ name, label, value, words }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name}>
        <option value="">any</option>
        {Object.entries(words).map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
