import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { TEST_DOCUMENTS } from "#testing/fixtures/project.ts";
import { guideSections } from "#web/docs/guide-sections.ts";

import { excerptOf, indexSections } from "./search-index.ts";

const section = (heading: string, text: string) => ({
  guide: "rules",
  title: "Rules",
  heading,
  id: heading.toLowerCase(),
  text,
});

describe("guide search", () => {
  it("prefers sections about a word to those that contain it", async () => {
    const search = await indexSections([section("Map", "The zone."), section("Zone", "Shrinks.")]);
    assert.deepEqual(
      search("zone").map(({ href }) => href),
      ["/guide/rules#zone", "/guide/rules#map"],
    );
  });

  it("finds sections with all words, or else with any", async () => {
    const search = await indexSections([section("A", "red fox"), section("B", "red hen")]);
    assert.deepEqual(
      search("red hen").map(({ heading }) => heading),
      ["B"],
    );
    assert.equal(search("red cow").length, 2);
    assert.deepEqual(search("cow"), []);
  });

  it("finds words by their beginning, with a typing error, and codes by their parts", async () => {
    const search = await indexSections([section("A", "See `no_such_bot` and achievements.")]);
    for (const query of ["achieve", "acheivements", "no_such_bot", "no_such", "bot"])
      assert.equal(search(query).length, 1, query);
  });

  it("links the start of a guide without a fragment", async () => {
    const search = await indexSections([section("Rules", "Two fighters.")]);
    const [result] = search("fighters");
    assert.deepEqual(result, {
      href: "/guide/rules",
      title: "Rules",
      heading: "",
      excerpt: ["Two ", "fighters", "."],
    });
  });

  it("shows the text around the first match", () => {
    const text = `${"before ".repeat(50)}the Zone shrinks${" after".repeat(50)}`;
    const excerpt = excerptOf(text, ["zone"]);
    assert.equal(excerpt.length, 3);
    assert.match(excerpt[0]!, /^…before .* the $/);
    assert.equal(excerpt[1], "Zone");
    assert.match(excerpt[2]!, /^ shrinks after.* after…$/);
    assert.ok(excerpt.join("").length < 200);
  });

  it("finds error codes, limits and routes in the guides", async () => {
    const search = await indexSections(await guideSections(TEST_DOCUMENTS, "https://bout.example"));
    const guidesFor = (query: string) => search(query).map(({ href }) => href.split("#")[0]);
    assert.ok(guidesFor("settings_conflict").includes("/guide/errors"));
    assert.ok(guidesFor("hourly_quota").includes("/guide/limits"));
    assert.match(guidesFor("GET /api/leaderboard")[0]!, /^\/guide\/api/);
  });
});
