import type { Comparison } from "#core/resources/bot-record.ts";
import { rangeOf, scaleOf } from "#site/look/interval-words.ts";
import { Interval } from "#site/look/interval.tsx";
import { botPath } from "#site/look/links.ts";
import { Section } from "#site/look/parts.tsx";

import { partValues } from "./bot-links.ts";
import { comparisonWords } from "./bot-words.ts";
import type { VersionsData } from "./data.ts";
import { Labels } from "./labels.tsx";

/** Which of two versions is better: a question that works by its address alone. */
export function Compare({ data: { bot, scope, compared, labels } }: { data: VersionsData }) {
  const [newest = "", last = ""] = labels;
  return (
    <Section id="compare" title="Compare two versions">
      <form class="bot-filters" action={`${botPath(bot.name)}#compare`}>
        {partValues(scope, "versions").map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <label>
          Version
          <input type="text" name="a" list="labels" required value={compared?.a ?? newest} />
        </label>
        <label>
          against
          <input type="text" name="b" list="labels" required value={compared?.b ?? last} />
        </label>
        <Labels labels={labels} />
        <button class="button quiet" type="submit">
          Compare
        </button>
      </form>
      {compared !== null && <Verdict compared={compared} />}
    </Section>
  );
}

type VerdictProps = { compared: NonNullable<VersionsData["compared"]> };

function Verdict({ compared: { a, b, result } }: VerdictProps) {
  if (a === b) return <p class="empty">Choose two different versions to compare.</p>;
  if (result === null)
    return (
      <p class="empty">
        One of the two is no version of this bot: <bdi>{a}</bdi>, <bdi>{b}</bdi>.
      </p>
    );
  return (
    <div class="verdict">
      <p class="verdict-words">{comparisonWords(result)}</p>
      <Difference result={result} />
      <p class="sub">
        From {result.games[0]} and {result.games[1]} rated games, whoever the opponents were: the
        rating fit knows how strong they are. ± is one deviation, the line two to either side.
      </p>
    </div>
  );
}

function Difference({ result }: { result: Comparison }) {
  const { difference, deviation } = result;
  if (difference === null || deviation === null) return null;
  const estimate = rangeOf(difference, deviation);
  const most = Math.max(Math.abs(estimate.low), Math.abs(estimate.high));
  return (
    <div class="difference">
      <Interval {...estimate} mark={0} scale={scaleOf([{ low: -most, high: most }])} tone="gold" />
      <p class="difference-ends sub" aria-hidden="true">
        <bdi>{result.b} better</bdi> <bdi>{result.a} better</bdi>
      </p>
    </div>
  );
}
