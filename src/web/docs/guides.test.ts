import assert from "node:assert/strict";
import { it } from "node:test";
import { gunzipSync } from "node:zlib";

import { LIMITS, limitsWith } from "#core/words/limits.ts";
import { PROJECT } from "#server/composition/project.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { BUILD, DOCUMENTS as documents } from "#testing/fixtures/project.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import { openDocuments } from "./documents.ts";
import { changelogText, guideList, guideText } from "./guide-data.ts";
import { guidesOf } from "./guides.ts";
import { limitsPage } from "./limits-page.ts";

const BASE_URL = "https://bout.example";

it("assigns every guide of the repository to a group", () => {
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

it("has no page for anything but a guide", () => {
  for (const name of ["nothing", "__proto__", "api.md", "../api"])
    assert.equal(guideText(documents, name, BASE_URL), null);
  assert.equal(changelogText({ changelog: null, guides: [] }, BASE_URL), null);
});

it("lists schemas behind the guides", () => {
  const { guides, schemas } = guideList(documents);
  assert.equal(guides, documents.guides);
  assert.ok(schemas.includes("turn"));
});

it("gives a guide with its parts, its neighbours and this ladder's address", () => {
  const docs = new Map([["new", "# New\n\nAsk http://localhost:7777/api.\n\n## One part\n"]]);
  const guides = guidesOf(docs);
  assert.deepEqual(guideText({ docs, guides }, "new", BASE_URL), {
    title: "New",
    summary: "Ask http://localhost:7777/api.",
    html:
      '<h1 id="new"><a href="#new">New</a></h1>\n<p>Ask https://bout.example/api.</p>\n' +
      '<h2 id="one-part"><a href="#one-part">One part</a></h2>\n',
    headings: [
      { level: 1, id: "new", text: "New" },
      { level: 2, id: "one-part", text: "One part" },
    ],
    source: "/docs/new.md",
    guides,
    current: "new",
  });
});

it("gives the parts of each release an id of their own", () => {
  const changelog = "# C\n\n## 0.2.0\n\n### Added\n\n- x\n\n## 0.1.0\n\n### Added\n\n- y\n";
  const headings = changelogText({ changelog, guides: [] }, BASE_URL)?.headings ?? [];
  const ids = headings.filter(({ level }) => level === 3).map(({ id }) => id);
  assert.deepEqual(ids, ["v0.2.0-added", "v0.1.0-added"]);
});

it("finds a release by its number, and lists unreleased changes only if there are any", () => {
  const released = "## 0.48.1, 2026-11-21\n\n- more\n\n## 0.48.0\n\n- y\n";
  const idsOf = (changelog: string) =>
    changelogText({ changelog, guides: [] }, BASE_URL)
      ?.headings.filter(({ level }) => level === 2)
      .map(({ id }) => id);
  const open = `# Changes\n\n## Unreleased\n\n- x\n\n${released}`;
  assert.deepEqual(idsOf(open), ["unreleased", "v0.48.1", "v0.48.0"]);
  const empty = `# Changes\n\n## Unreleased\n\n${released}`;
  assert.deepEqual(idsOf(empty), ["v0.48.1", "v0.48.0"]);
});

it("serves the page of limits with changed limits, compressed too", async () => {
  const settings = openSettings(LIMITS);
  const sources = { root: PROJECT, build: BUILD, settings, isPerAddress: false };
  const moving = await openDocuments(sources);
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
  assert.match(page, /\| `hourly_quota` \| 7 \| .* \(default 10000\); \*changes at once\* \|/);
  assert.match(
    page,
    /\| `max_concurrent` \| 320 \| matches of the server at once; with 0 none starts; \*changes at once\* \|/,
  );
  assert.match(page, /off on this server/);
  assert.doesNotMatch(limitsPage(LIMITS, true), /off on this server/);
});
