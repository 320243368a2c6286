import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";

import { parse } from "yaml";

import { readDocPage } from "#testing/fixtures/doc-page.ts";
import { unavailableReason } from "#testing/fixtures/find-python.ts";
import { labelNames, sampleNames } from "#testing/fixtures/metrics-text.ts";
import { parseSelectors } from "#testing/fixtures/promql.ts";
import { exportedFamilies } from "#testing/fixtures/sample-metrics.ts";

import { ROOT } from "./sources.ts";

const RULES = join(ROOT, "deploy/prometheus/bout.rules.yml");
const DASHBOARD = join(ROOT, "deploy/grafana/bout.json");

type Rule = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
};

const { groups } = parse(readFileSync(RULES, "utf8")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

type Panel = { title: string; targets: { expr: string; legendFormat: string }[] };
const dashboard = JSON.parse(readFileSync(DASHBOARD, "utf8")) as { panels: Panel[] };

/** Labels by sample name. Prometheus adds `job` and `instance` to every sample. */
const exported = new Map([
  ["up", ["job", "instance"]],
  ...[...exportedFamilies()].flatMap(([name, family]) =>
    sampleNames(name, family).map((sample): [string, string[]] => [
      sample,
      [...labelNames(family), "job", "instance", ...(sample.endsWith("_bucket") ? ["le"] : [])],
    ]),
  ),
]);

function unknownIn(expression: string): string[] {
  const { selectors, groups: grouped } = parseSelectors(expression);
  assert.ok(selectors.length > 0, expression);
  const knownMetrics = selectors.flatMap(({ metric }) => exported.get(metric) ?? []);
  return [
    ...selectors.filter(({ metric }) => !exported.has(metric)).map(({ metric }) => metric),
    ...selectors.flatMap(({ metric, labels }) =>
      labels.filter((label) => exported.get(metric)?.includes(label) === false),
    ),
    ...grouped.filter((label) => !knownMetrics.includes(label)),
  ];
}

const noPromtool = await unavailableReason("promtool", ["--version"]);

describe("the alert rules", () => {
  it("use metrics and labels that the server exports", () => {
    assert.ok(rules.length > 10);
    for (const { alert, expr, annotations } of rules) {
      assert.deepEqual(unknownIn(expr), [], alert);
      const namedPanels = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(
        ([, label]) => label,
      );
      const { selectors } = parseSelectors(expr);
      const labels = selectors.flatMap(({ metric }) => exported.get(metric) ?? []);
      for (const label of namedPanels) assert.ok(labels.includes(label!), `${alert}: ${label}`);
    }
  });

  it("are listed in the guide with their runbook sections", () => {
    const rows = readDocPage("monitoring").text.matchAll(
      /^\| `(\w+)` \| (page|ticket) \| \[.+\]\(runbook\.md#(\S+)\) \|$/gm,
    );
    const listedAlerts = [...rows].map(([, ...cells]) => cells);
    const expectedRows = rules.map(({ alert, labels, annotations }) => [
      alert,
      labels.severity,
      annotations.runbook,
    ]);
    assert.deepEqual(listedAlerts, expectedRows);
  });

  it("pass promtool where it is installed", { skip: noPromtool }, async () => {
    await assert.doesNotReject(promisify(execFile)("promtool", ["check", "rules", RULES]));
  });
});

describe("the dashboard", () => {
  it("uses metrics and labels that the server exports", () => {
    assert.ok(dashboard.panels.length > 10);
    for (const { title, targets } of dashboard.panels)
      for (const { expr, legendFormat } of targets) {
        assert.deepEqual(unknownIn(expr), [], title);
        const { selectors } = parseSelectors(expr);
        const labels = selectors.flatMap(({ metric }) => exported.get(metric) ?? []);
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          assert.ok(labels.includes(label!), `${title}: ${label}`);
      }
  });
});

describe("the monitoring guide", () => {
  it("lists the metrics that the server exports", () => {
    const rows = readDocPage("monitoring").text.matchAll(
      /^\| `(\w+)` \| (gauge|counter|histogram) \| ([^|]*)\| (.+) \|$/gm,
    );
    const listedAlerts = [...rows].map(([, name, type, labels = "", help]) => {
      const names = [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label);
      return [name, type, names, help];
    });
    const expectedRows = [...exportedFamilies()].map(([name, family]) => {
      return [name, family.type, labelNames(family), family.help];
    });
    assert.deepEqual(listedAlerts, expectedRows);
  });
});
