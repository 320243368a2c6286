import assert from "node:assert/strict";
import { it } from "node:test";
import { gunzipSync } from "node:zlib";

import { LIMITS, limitsWith } from "#core/words/limits.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import { openDocuments } from "./documents.ts";
import { changelogPage, guideIndex, guidePage } from "./guide-page.ts";
import { guidesOf } from "./guides.ts";
import { limitsPage } from "./limits-page.ts";

const documents = await openDocuments(openSettings(LIMITS), false);

it("puts every guide of the repository into a group of its own choice", () => {
  assert.equal(documents.guides.length, documents.docs.size);
  const rest = documents.guides.filter(({ group }) => group === "More");
  assert.deepEqual(rest, []);
});

it("takes title and summary from the text", () => {
  const text = "# The `x` file\n\nSays [a](b.md) **lot** of\nthings. And more.\n\n## Part\n";
  const [guide] = guidesOf(new Map([["new", text]]));
  const summary = "Says a lot of things.";
  assert.deepEqual(guide, { name: "new", group: "More", title: "The `x` file", summary });
});

it("has a sentence for each guide", () => {
  for (const { name, title, summary } of documents.guides) {
    assert.ok(title.length > 3, name);
    assert.match(summary, /^[A-Z].{15,}[.:!]$/s, `${name}: ${summary}`);
  }
});

it("has no page for what is no guide", () => {
  for (const name of ["nothing", "__proto__", "api.md", "../api"])
    assert.equal(guidePage(documents, name), null);
  assert.equal(changelogPage({ changelog: null, guides: [] }), null);
});

it("lists schemas behind the guides", () => {
  assert.match(guideIndex(documents, ["turn"]).html, /href="\/docs\/schema\/turn\.json">turn</);
});

it("finds a release by its number, and lists what is unreleased only where there is any", () => {
  const released = "## 0.48.1, 2026-11-21\n\n- more\n\n## 0.48.0\n\n- y\n";
  const idsOf = (changelog: string) =>
    [...(changelogPage({ changelog, guides: [] })?.html ?? "").matchAll(/<h2 id="([^"]+)"/g)].map(
      ([, id]) => id,
    );
  const open = `# Changes\n\n## Unreleased\n\n- x\n\n${released}`;
  assert.deepEqual(idsOf(open), ["unreleased", "v0.48.1", "v0.48.0"]);
  const empty = `# Changes\n\n## Unreleased\n\n${released}`;
  assert.deepEqual(idsOf(empty), ["v0.48.1", "v0.48.0"]);
});

it("serves the page of limits as they are since they changed, compressed too", async () => {
  const settings = openSettings(LIMITS);
  const moving = await openDocuments(settings, false);
  const { app } = testApi({}, { documents: moving });
  const read = async (url: string) => {
    const { rawPayload } = await app.inject({ url, headers: { "accept-encoding": "gzip" } });
    return gunzipSync(rawPayload).toString();
  };
  for (const most of [10_000, 7, 8]) {
    if (most !== 10_000) settings.change({ hourly_quota: most });
    assert.match(
      await read("/docs/limits"),
      new RegExp(`^\\| .hourly_quota. \\| ${most} \\|`, "m"),
    );
    assert.match(
      await read("/guide/limits"),
      new RegExp(`hourly_quota</code></td>\\s*<td>${most}<`),
    );
  }
  assert.deepEqual([...moving.docs.keys()], [...documents.docs.keys()]);
});

it("shows limits in force, and their defaults where an operator moved them", () => {
  const page = limitsPage(limitsWith({ hourly_quota: 7 }), false);
  assert.match(page, /\| `hourly_quota` \| 7 \| .* \(default 10000\) \|/);
  assert.match(page, /\| `max_concurrent` \| 320 \| matches of the server at once \|/);
  assert.match(page, /off on this server/);
  assert.doesNotMatch(limitsPage(LIMITS, true), /off on this server/);
});
