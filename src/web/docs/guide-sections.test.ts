import assert from "node:assert/strict";
import { it } from "node:test";
import { gzipSync } from "node:zlib";

import type { GuideSection } from "#site/guide/data.ts";
import { renderMarkdown } from "#site/guide/markdown.ts";
import { TEST_DOCUMENTS as documents } from "#testing/fixtures/project.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import { splitSections } from "./guide-sections.ts";

const MAX_BYTES = 400 * 1024;

it("splits a guide at its headings and removes marks", () => {
  const markdown =
    "# The `x` file\n\nSee [a](b.md#c), **bold** and *not* 2 * 3.\n\n" +
    "## Part\n\n| A | B |\n|---|---|\n| `1` | 2 |\n\n- one\n1. two\n\n```sh\n# no heading *x*\n```\n";
  assert.deepEqual(splitSections(markdown), [
    { id: "the-x-file", heading: "The x file", text: "See a, bold and not 2 * 3." },
    { id: "part", heading: "Part", text: "A B 1 2 one two # no heading *x*" },
  ]);
});

it("serves all sections of all guides, with the ids of their headings", async () => {
  const { app } = testApi();
  const { body, headers } = await app.inject("/docs/sections.json");
  assert.match(String(headers["content-type"]), /^application\/json/);
  assert.ok(gzipSync(body).length < MAX_BYTES);
  const sections = JSON.parse(body) as GuideSection[];
  for (const { name } of documents.guides) {
    const ids = sections.flatMap(({ guide, id }) => (guide === name ? [id] : []));
    const { headings } = renderMarkdown(documents.docs.get(name)!);
    assert.deepEqual(
      ids,
      headings.map(({ id }) => id),
      name,
    );
  }
});
