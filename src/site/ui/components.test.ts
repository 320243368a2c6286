import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { MAP_NAMES, mapRows } from "#core/engine/maps.ts";
import { PROJECT_ROOT } from "#server/composition/project-paths.ts";
import type * as AvatarFile from "#site/avatars/avatar.tsx";
import { renderHtml, importSiteModule } from "#testing/fixtures/site-components.ts";

import type * as BotNameFile from "./bot-name.tsx";
import { RETIRED_VERSION_TEXT, BOT_STATUS_TEXTS, describeVoidMatch } from "./bot-status-texts.ts";
import type * as CopyFile from "./copy-button.tsx";
import type * as EmptyFile from "./empty-state.tsx";
import type * as IntervalFile from "./interval-plot.tsx";
import { mapShapes } from "./map-shapes.ts";
import type * as MapPictureFile from "./map-thumbnail.tsx";
import type * as OwnerFile from "./owner-label.tsx";
import { describeInterval, estimateOf, scaleOf, percentOnScale } from "./rating-interval.ts";
import type * as PartsFile from "./section.tsx";
import { formatUtcTime, formatTime } from "./time-format.ts";
import type * as WhenFile from "./time-label.tsx";

const { BotName } = await importSiteModule<typeof BotNameFile>("ui/bot-name.tsx");
const { Avatar } = await importSiteModule<typeof AvatarFile>("avatars/avatar.tsx");
const { CopyButton } = await importSiteModule<typeof CopyFile>("ui/copy-button.tsx");
const { EmptyState } = await importSiteModule<typeof EmptyFile>("ui/empty-state.tsx");
const { IntervalPlot } = await importSiteModule<typeof IntervalFile>("ui/interval-plot.tsx");
const { MapThumbnail } = await importSiteModule<typeof MapPictureFile>("ui/map-thumbnail.tsx");
const { OwnerLabel } = await importSiteModule<typeof OwnerFile>("ui/owner-label.tsx");
const { Bar, Section } = await importSiteModule<typeof PartsFile>("ui/section.tsx");
const { TimeLabel } = await importSiteModule<typeof WhenFile>("ui/time-label.tsx");

const MARKUP = `"><img src=x onerror=alert(1)>`;
const ESCAPED = `&quot;>&lt;img src=x onerror=alert(1)>`;
const NOON = "2026-11-21T12:09:30.250Z";

describe("user-supplied text is escaped (T26, T86)", () => {
  it("in names and their links, with any text direction", () => {
    const html = renderHtml(BotName, {
      name: MARKUP,
      displayName: `${MARKUP}\u202e 🤖`,
      avatar: MARKUP,
    });
    assert.ok(!html.includes("<img"), html);
    assert.match(html, /<bdi>.*\u202e 🤖<\/bdi>/);
    assert.match(html, /href="\/bot\/%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert\(1\)%3E"/);
  });

  const labelled: [string, html: string][] = [
    ["the label of a bar", renderHtml(Bar, { value: 1, max: 2, label: MARKUP })],
    [
      "the label of an interval",
      renderHtml(IntervalPlot, { low: 1, center: 2, high: 3, scale: [0, 4], label: MARKUP }),
    ],
    ["the label of a copy button", renderHtml(CopyButton, { text: MARKUP, label: MARKUP })],
  ];
  for (const [scalePosition, html] of labelled)
    it(`in ${scalePosition}`, () => {
      assert.ok(html.includes(ESCAPED), html);
      assert.ok(!html.includes("<img"), html);
    });

  it("in a section title", () => {
    const html = renderHtml(Section, { id: "x", title: MARKUP, children: null });
    assert.ok(html.includes(`<h2 id="x-title">${ESCAPED}</h2>`), html);
  });
});

describe("a bot's name", () => {
  it("says that the bot is online", () => {
    const html = renderHtml(BotName, { name: "ada", displayName: "Ada", online: true });
    assert.match(html, /title="Online now"><span class="visually-hidden">online now/);
    assert.doesNotMatch(renderHtml(BotName, { name: "ada", displayName: "Ada" }), /onnected/);
  });

  it("has an avatar that is hidden from screen readers", () => {
    assert.match(
      renderHtml(Avatar, { name: "ada", size: 40 }),
      /width="40" height="40" aria-hidden/,
    );
  });
});

describe("a time", () => {
  it("is in UTC on the server, including the tooltip", () => {
    assert.equal(
      renderHtml(TimeLabel, { instant: NOON }),
      `<time class="when" datetime="${NOON}" title="21 Nov 2026, 12:09 UTC" data-form="minute">` +
        `21 Nov 2026, 12:09 UTC</time>`,
    );
  });

  const forms = [
    ["day", "22 Nov 2026", "21 Nov 2026 UTC"],
    ["minute", "22 Nov 2026, 01:09", "21 Nov 2026, 12:09 UTC"],
    ["second", "01:09:30", "12:09:30 UTC"],
  ] as const;
  for (const [form, expectedMaps, utc] of forms)
    it(`with precision ${form} is in the viewer's time zone`, () => {
      assert.equal(formatTime(NOON, form, "Pacific/Auckland"), expectedMaps);
      assert.equal(formatUtcTime(NOON, form), utc);
    });

  it("can be relative", () => {
    const html = renderHtml(TimeLabel, { instant: NOON, now: Date.parse(NOON) + 300_000 });
    assert.match(html, /title="21 Nov 2026, 12:09 UTC">5 min ago</);
  });
});

describe("owner label", () => {
  const bot = { name: "rex", display_name: "Rex", house: false, owner: "Ann", owner_url: null };

  it("shows the owner's name, linked if the owner has a profile", () => {
    assert.match(renderHtml(OwnerLabel, { bot }), />by <bdi>Ann</);
    const linked = renderHtml(OwnerLabel, {
      bot: { ...bot, owner: MARKUP, owner_url: "https://a.test" },
    });
    assert.match(linked, /by <a href="https:\/\/a\.test"><bdi>/);
    assert.ok(linked.includes(ESCAPED));
  });

  for (const owner of ["rex", "Rex"])
    it(`is omitted if ${owner} is the bot's own name`, () => {
      assert.equal(renderHtml(OwnerLabel, { bot: { ...bot, owner } }), "");
    });

  it("is “house” for house bots", () => {
    assert.match(renderHtml(OwnerLabel, { bot: { ...bot, house: true } }), />house</);
  });
});

describe("rating interval", () => {
  it("shows its numbers as text", () => {
    assert.equal(
      describeInterval({ low: -12.4, center: 31, high: 74.6 }),
      "31, between −12 and 75",
    );
    const html = renderHtml(IntervalPlot, {
      low: 1500,
      center: 1550,
      high: 1600,
      scale: [1400, 1800],
    });
    assert.match(html, /role="img" aria-label="1550, between 1500 and 1600"/);
    assert.match(html, /x1="25%" x2="50%".*cx="37.5%"/);
  });

  it("marks the reference value", () => {
    const html = renderHtml(IntervalPlot, {
      low: 1,
      center: 2,
      high: 3,
      scale: [-4, 4],
      referenceValue: 0,
    });
    assert.match(html, /class="interval-mark" x1="50%" x2="50%"/);
  });

  it("stays within its scale", () => {
    assert.deepEqual(
      [0, 50, 100, 150].map((center) => percentOnScale(center, [50, 100])),
      [0, 0, 100, 100],
    );
  });

  it("spans two deviations on each side", () => {
    assert.deepEqual(estimateOf(1840, 53), { low: 1734, center: 1840, high: 1946 });
  });

  it("shares a scale that ends at round numbers", () => {
    const estimates = [
      { low: 1412, high: 1530 },
      { low: 1460, high: 1788 },
    ];
    assert.deepEqual(scaleOf(estimates), [1400, 1800]);
    assert.deepEqual(scaleOf([{ low: 1500, high: 1500 }]), [1500, 1550]);
    assert.deepEqual(scaleOf([]), [0, 50]);
  });
});

describe("map thumbnail", () => {
  for (const name of MAP_NAMES)
    it(`draws ${name} as the engine defines it`, () => {
      const rows = mapRows(name)!;
      const { startTiles, walls, width, height } = mapShapes(name)!;
      const count = (character: string) => rows.join("").split(character).length - 1;
      const runs = [...walls.matchAll(/h(\d+)v/g)].map(([, length]) => Number(length));
      assert.equal(
        runs.reduce((sum, length) => sum + length, 0),
        count("#"),
      );
      assert.equal(startTiles.length, count("1") + count("2"));
      for (const { x, y, pair } of startTiles)
        assert.equal(rows[Math.floor(y)]![Math.floor(x)], pair, `${x},${y}`);
      const html = renderHtml(MapThumbnail, { map: name, size: 60 });
      assert.match(html, new RegExp(`viewBox="0 0 ${width} ${height}"`));
      assert.match(html, new RegExp(`<title>Map ${name}</title>`));
    });

  it("is omitted for an unknown map", () => {
    for (const map of ["moon", "__proto__", ""])
      assert.equal(renderHtml(MapThumbnail, { map }), "");
  });
});

describe("texts for exceptional states", () => {
  it("differ for retired, suspended and banned bots and a retired version", () => {
    const expectedTexts = Object.values(BOT_STATUS_TEXTS).flatMap(({ badge, sentence }) => [
      badge,
      sentence,
    ]);
    assert.equal(new Set([...expectedTexts, RETIRED_VERSION_TEXT]).size, 7);
  });

  it("say why a match is void", () => {
    assert.match(describeVoidMatch("server_fault"), /server error/);
    assert.match(describeVoidMatch("forfeit"), /neither bot was ready/);
  });

  it("say why a list is empty and what to do next", () => {
    const html = renderHtml(EmptyState, { subject: "season", children: "Seven games to go." });
    assert.match(html, /A new season has started.*Seven games to go\./);
  });
});

describe("design tokens", () => {
  const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");
  const namesIn = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].toSorted();
  const sheets = ["ui", "shell", "match"].flatMap((room) =>
    readdirSync(join(PROJECT_ROOT, "src", "site", room))
      .filter((name) => name.endsWith(".css"))
      .map((name) => `src/site/${room}/${name}`),
  );
  const declared = namesIn(read("src/site/ui/tokens.css"), /^ {2}(--[\w-]+):/gm);

  it("match the list in the style guide exactly", () => {
    const page = read("docs/design-language.md");
    assert.deepEqual(namesIn(page, /`(--[\w-]+)`/g), declared);
  });

  it("are the only source of colors", () => {
    for (const path of sheets.filter((hexColor) => !hexColor.endsWith("tokens.css")))
      assert.doesNotMatch(read(path), /#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\(/i, path);
  });

  it("are declared wherever they're used", () => {
    for (const path of sheets) {
      const text = read(path);
      const tokenNames = [...declared, ...namesIn(text, /^ {2}(--[\w-]+):/gm)];
      for (const name of namesIn(text, /var\((--[\w-]+)/g))
        assert.ok(tokenNames.includes(name), `${path} uses ${name}`);
    }
  });
});
