import type { VersionComparison } from "#core/api/bot-record.ts";
import { IntervalPlot } from "#site/ui/interval-plot.tsx";
import { botPath } from "#site/ui/links.ts";
import { estimateOf, scaleOf } from "#site/ui/rating-interval.ts";
import { Section } from "#site/ui/section.tsx";

import { partParameters } from "./bot-links.ts";
import { describeComparison } from "./comparison-text.ts";
import type { VersionsData } from "./data.ts";
import { VersionDatalist } from "./version-datalist.tsx";

/** Compares two versions. The URL stores the selected versions. */
export function CompareVersions({
  data: { bot, scope, comparison, labels },
}: {
  data: VersionsData;
}) {
  const [newestLabel = "", previousLabel = ""] = labels;
  return (
    <Section id="compare" title="Compare two versions">
      <form class="bot-filters" action={`${botPath(bot.name)}#compare`}>
        {partParameters(scope, "versions").map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <label>
          Version
          <input type="text" name="a" list="labels" required value={comparison?.a ?? newestLabel} />
        </label>
        <label>
          against
          <input
            type="text"
            name="b"
            list="labels"
            required
            value={comparison?.b ?? previousLabel}
          />
        </label>
        <VersionDatalist labels={labels} />
        <button class="button quiet" type="submit">
          Compare
        </button>
      </form>
      {comparison !== null && <ComparisonVerdict comparison={comparison} />}
    </Section>
  );
}

type ComparisonVerdictProps = { comparison: NonNullable<VersionsData["comparison"]> };

function ComparisonVerdict({ comparison: { a, b, result } }: ComparisonVerdictProps) {
  if (a === b) return <p class="empty">Choose two different versions to compare.</p>;
  if (result === null)
    return (
      <p class="empty">
        This bot has no version with one of these labels: <bdi>{a}</bdi>, <bdi>{b}</bdi>.
      </p>
    );
  return (
    <div class="verdict">
      <p class="verdict-words">{describeComparison(result)}</p>
      <DifferencePlot result={result} />
      <p class="sub">
        From {result.games[0]} and {result.games[1]} rated games. The rating accounts for the
        strength of their opponents. ± is one deviation; the line shows two on each side.
      </p>
    </div>
  );
}

function DifferencePlot({ result }: { result: VersionComparison }) {
  const { difference, deviation } = result;
  if (difference === null || deviation === null) return null;
  const estimate = estimateOf(difference, deviation);
  const maxDifference = Math.max(Math.abs(estimate.low), Math.abs(estimate.high));
  return (
    <div class="difference">
      <IntervalPlot
        {...estimate}
        referenceValue={0}
        scale={scaleOf([{ low: -maxDifference, high: maxDifference }])}
        tone="gold"
      />
      <p class="difference-ends sub" aria-hidden="true">
        <bdi>{result.b} better</bdi> <bdi>{result.a} better</bdi>
      </p>
    </div>
  );
}
