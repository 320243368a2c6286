import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";

import { DEFAULT_LIMITS, limitsWith } from "#core/limits/limits.ts";
import { PROJECT_ROOT } from "#server/composition/project-paths.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { renderMarkdown } from "#site/guide/markdown.ts";
import { releaseFragments } from "#site/guide/release-fragments.ts";
import { TEST_BUILD, TEST_DOCUMENTS as documents } from "#testing/fixtures/project.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import { changelogText } from "./changelog-page.ts";
import { openDocuments } from "./documents.ts";
import { guideList, guideText } from "./guide-data.ts";
import { guidesOf } from "./guides.ts";
import { limitsPage } from "./limits-page.ts";

const BASE_URL = "https://bout.example";

it("assigns every guide in the repository to a group", () => {
  assert.equal(documents.guides.length, documents.docs.size);
  const ungroupedGuides = documents.guides.filter(({ group }) => group === "More");
  assert.deepEqual(ungroupedGuides, []);
});

it("takes title and summary from the text", () => {
  const text = "# The `x` file\n\nSays [a](b.md) **lot** of\nthings. And more.\n\n## Part\n";
  const [guide] = guidesOf(new Map([["new", text]]));
  const summary = "Says a lot of things.";
  assert.deepEqual(guide, { name: "new", group: "More", title: "The `x` file", summary });
});

it("has a summary for each guide", () => {
  for (const { name, title, summary } of documents.guides) {
    assert.ok(title.length > 3, name);
    assert.match(summary, /^(?:[A-Z]|bout ).{15,}[.:!]$/s, `${name}: ${summary}`);
  }
});

it("has pages for guides only", () => {
  for (const name of ["nothing", "__proto__", "api.md", "../api"])
    assert.equal(guideText(documents, name, BASE_URL), null);
  assert.equal(changelogText({ changelog: null, guides: [] }, BASE_URL), null);
});

it("lists schemas after the guides", () => {
  const { guides, schemas } = guideList(documents);
  assert.equal(guides, documents.guides);
  assert.ok(schemas.includes("turn"));
});

it("has a guide's text with the server's URL", () => {
  const docs = new Map([
    ["new", "# New\n\nSee below.\n\nAsk http://localhost:7777/api.\n\n## One part\n"],
  ]);
  const guides = guidesOf(docs);
  assert.deepEqual(guideText({ docs, guides }, "new", BASE_URL), {
    title: "New",
    summary: "See below.",
    markdown: "# New\n\nSee below.\n\nAsk https://bout.example/api.\n\n## One part\n",
    fragments: "text",
    source: "/docs/new.md",
    guides,
    current: "new",
  });
});

it("lists unreleased changes only if they exist", () => {
  const releases = "## 0.48.1, 2026-11-21\n\n- more\n";
  const textOf = (changelog: string) =>
    changelogText({ changelog, guides: [] }, BASE_URL)?.markdown;
  const withChanges = `# Changes\n\n## Unreleased\n\n- x\n\n${releases}`;
  assert.equal(textOf(withChanges), withChanges);
  assert.equal(textOf(`# Changes\n\n## Unreleased\n\n${releases}`), `# Changes\n\n${releases}`);
});

describe("the changelog page", () => {
  const releaseText = (version: string) =>
    `## ${version}, 2026-11-21\n\n### Upgrade notes\n\n- schema\n\n### Added\n\n- weapon\n\n`;
  const versions = ["0.5.0", "0.4.0", "0.3.0", "0.2.0"];
  const changelog = `# Changes\n\n## Unreleased\n\n### Added\n\n- map\n\n${versions.map(releaseText).join("")}`;
  const pageOf = (scope: "latest" | "all") =>
    renderMarkdown(
      changelogText({ changelog, guides: [] }, BASE_URL, scope)!.markdown,
      releaseFragments(),
    );
  const releasesOf = (scope: "latest" | "all") =>
    pageOf(scope).headings.flatMap(({ level, id }) => (level === 2 ? [id] : []));

  it("shows unreleased changes and the latest three releases, and links to all", () => {
    assert.deepEqual(releasesOf("latest"), ["unreleased", "v0.5.0", "v0.4.0", "v0.3.0"]);
    assert.match(pageOf("latest").html, /<a href="\/changelog\/all">Show all releases<\/a>/);
  });

  it("shows all releases on request", () => {
    assert.deepEqual(releasesOf("all").slice(1), ["v0.5.0", "v0.4.0", "v0.3.0", "v0.2.0"]);
    assert.doesNotMatch(pageOf("all").html, /Show all/);
  });

  it("lists upgrade notes last in each release", () => {
    const ids = pageOf("latest").headings.map(({ id }) => id);
    assert.deepEqual(ids.slice(3, 6), ["v0.5.0", "v0.5.0-added", "v0.5.0-upgrade-notes"]);
  });
});

it("serves the limits page with changed limits, including compressed", async () => {
  const settings = openSettings(DEFAULT_LIMITS);
  const sources = { root: PROJECT_ROOT, build: TEST_BUILD, settings, isPerAddress: false };
  const mutableSettings = await openDocuments(sources);
  const { app } = testApi({}, { documents: mutableSettings });
  const read = async (url: string) => {
    const { rawPayload } = await app.inject({ url, headers: { "accept-encoding": "gzip" } });
    return gunzipSync(rawPayload).toString();
  };
  for (const quota of [10_000, 7, 8]) {
    if (quota !== 10_000) settings.change({ hourly_quota: quota });
    assert.match(
      await read("/docs/limits"),
      new RegExp(`^\\| .hourly_quota. \\| ${quota} \\|`, "m"),
    );
    assert.match(
      await read("/guide/limits"),
      new RegExp(`hourly_quota</code></td>\\s*<td>${quota}<`),
    );
  }
  assert.deepEqual([...mutableSettings.docs.keys()], [...documents.docs.keys()]);
});

it("shows the limits in force, with the default of each changed limit", () => {
  const page = limitsPage(limitsWith({ hourly_quota: 7 }), false);
  assert.match(page, /\| `hourly_quota` \| 7 \| .* \(default 10000\); \*applies immediately\* \|/);
  assert.match(page, /\| `max_concurrent` \| 320 \| [^|]+; \*applies immediately\* \|/);
  assert.match(page, /are off on this server/);
  assert.doesNotMatch(limitsPage(DEFAULT_LIMITS, true), /are off on this server/);
});
