import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { MAP_NAMES, mapRows } from "#core/engine/maps.ts";
import { PROJECT } from "#server/composition/project.ts";
import type * as AvatarFile from "#site/avatars/avatar.tsx";
import { htmlOf, siteModule } from "#testing/fixtures/components.ts";

import type * as BotNameFile from "./bot-name.tsx";
import type * as CopyFile from "./copy.tsx";
import type * as EmptyFile from "./empty.tsx";
import { intervalWords, rangeOf, scaleOf, shareOf } from "./interval-words.ts";
import type * as IntervalFile from "./interval.tsx";
import type * as MapPictureFile from "./map-picture.tsx";
import { mapShapes } from "./map-shapes.ts";
import type * as OwnerFile from "./owner.tsx";
import type * as PartsFile from "./parts.tsx";
import { RETIRED_VERSION, STATUS_WORDS, voidWords } from "./status-words.ts";
import { utcWords, whenWords } from "./when-words.ts";
import type * as WhenFile from "./when.tsx";

const { BotName } = await siteModule<typeof BotNameFile>("look/bot-name.tsx");
const { Avatar } = await siteModule<typeof AvatarFile>("avatars/avatar.tsx");
const { Copy } = await siteModule<typeof CopyFile>("look/copy.tsx");
const { Empty } = await siteModule<typeof EmptyFile>("look/empty.tsx");
const { Interval } = await siteModule<typeof IntervalFile>("look/interval.tsx");
const { MapPicture } = await siteModule<typeof MapPictureFile>("look/map-picture.tsx");
const { Owner } = await siteModule<typeof OwnerFile>("look/owner.tsx");
const { Bar, Section } = await siteModule<typeof PartsFile>("look/parts.tsx");
const { When } = await siteModule<typeof WhenFile>("look/when.tsx");

const MARKUP = `"><img src=x onerror=alert(1)>`;
const ESCAPED = `&quot;>&lt;img src=x onerror=alert(1)>`;
const NOON = "2026-11-21T12:09:30.250Z";

describe("text from people is text (T26, T86)", () => {
  it("in names and their links, with any direction of writing", () => {
    const html = htmlOf(BotName, { name: MARKUP, display: `${MARKUP}\u202e 🤖`, avatar: MARKUP });
    assert.ok(!html.includes("<img"), html);
    assert.match(html, /<bdi>.*\u202e 🤖<\/bdi>/);
    assert.match(html, /href="\/bot\/%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert\(1\)%3E"/);
  });

  const labelled: [string, html: string][] = [
    ["the label of a bar", htmlOf(Bar, { value: 1, max: 2, label: MARKUP })],
    [
      "the label of an interval",
      htmlOf(Interval, { low: 1, at: 2, high: 3, scale: [0, 4], label: MARKUP }),
    ],
    ["the name of a copy button", htmlOf(Copy, { text: MARKUP, label: MARKUP })],
  ];
  for (const [where, html] of labelled)
    it(`in ${where}`, () => {
      assert.ok(html.includes(ESCAPED), html);
      assert.ok(!html.includes("<img"), html);
    });

  it("in a title of a section", () => {
    const html = htmlOf(Section, { id: "x", title: MARKUP, children: null });
    assert.ok(html.includes(`<h2 id="x-title">${ESCAPED}</h2>`), html);
  });
});

describe("a bot's name", () => {
  it("says in words that the bot is connected", () => {
    const html = htmlOf(BotName, { name: "ada", display: "Ada", online: true });
    assert.match(html, /title="Connected now"><span class="visually-hidden">connected now</);
    assert.doesNotMatch(htmlOf(BotName, { name: "ada", display: "Ada" }), /onnected/);
  });

  it("has a picture that screen readers pass over", () => {
    assert.match(htmlOf(Avatar, { name: "ada", size: 40 }), /width="40" height="40" aria-hidden/);
  });
});

describe("a time", () => {
  it("is in UTC on the server, on hover too", () => {
    assert.equal(
      htmlOf(When, { instant: NOON }),
      `<time class="when" datetime="${NOON}" title="21 Nov 2026, 12:09 UTC" data-form="minute">` +
        `21 Nov 2026, 12:09 UTC</time>`,
    );
  });

  const forms = [
    ["day", "22 Nov 2026", "21 Nov 2026 UTC"],
    ["minute", "22 Nov 2026, 01:09", "21 Nov 2026, 12:09 UTC"],
    ["second", "01:09:30", "12:09:30 UTC"],
  ] as const;
  for (const [form, there, utc] of forms)
    it(`to the ${form} is in the reader's zone`, () => {
      assert.equal(whenWords(NOON, form, "Pacific/Auckland"), there);
      assert.equal(utcWords(NOON, form), utc);
    });

  it("may say how long ago it was", () => {
    const html = htmlOf(When, { instant: NOON, now: Date.parse(NOON) + 300_000 });
    assert.match(html, /title="21 Nov 2026, 12:09 UTC">5 min ago</);
  });
});

describe("an owner", () => {
  const bot = { name: "rex", display_name: "Rex", house: false, owner: "Ann", owner_url: null };

  it("is named, and linked if it has an address", () => {
    assert.match(htmlOf(Owner, { bot }), />by <bdi>Ann</);
    const linked = htmlOf(Owner, { bot: { ...bot, owner: MARKUP, owner_url: "https://a.test" } });
    assert.match(linked, /by <a href="https:\/\/a\.test"><bdi>/);
    assert.ok(linked.includes(ESCAPED));
  });

  for (const owner of ["rex", "Rex"])
    it(`is left out when ${owner} is the bot's own name`, () => {
      assert.equal(htmlOf(Owner, { bot: { ...bot, owner } }), "");
    });

  it("is the house for its own bots", () => {
    assert.match(htmlOf(Owner, { bot: { ...bot, house: true } }), />house</);
  });
});

describe("an interval", () => {
  it("says its numbers", () => {
    assert.equal(intervalWords({ low: -12.4, at: 31, high: 74.6 }), "31, between −12 and 75");
    const html = htmlOf(Interval, { low: 1500, at: 1550, high: 1600, scale: [1400, 1800] });
    assert.match(html, /role="img" aria-label="1550, between 1500 and 1600"/);
    assert.match(html, /x1="25%" x2="50%".*cx="37.5%"/);
  });

  it("marks what it is compared with", () => {
    const html = htmlOf(Interval, { low: 1, at: 2, high: 3, scale: [-4, 4], mark: 0 });
    assert.match(html, /class="interval-mark" x1="50%" x2="50%"/);
  });

  it("stays within its scale", () => {
    assert.deepEqual(
      [0, 50, 100, 150].map((at) => shareOf(at, [50, 100])),
      [0, 0, 100, 100],
    );
  });

  it("reaches two deviations to either side", () => {
    assert.deepEqual(rangeOf(1840, 53), { low: 1734, at: 1840, high: 1946 });
  });

  it("shares a scale of whole steps with the others, whatever there is", () => {
    const estimates = [
      { low: 1412, high: 1530 },
      { low: 1460, high: 1788 },
    ];
    assert.deepEqual(scaleOf(estimates), [1400, 1800]);
    assert.deepEqual(scaleOf([{ low: 1500, high: 1500 }]), [1500, 1550]);
    assert.deepEqual(scaleOf([]), [0, 50]);
  });
});

describe("the picture of a map", () => {
  for (const name of MAP_NAMES)
    it(`shows ${name} as the engine has it`, () => {
      const rows = mapRows(name)!;
      const { starts, walls, width, height } = mapShapes(name)!;
      const count = (character: string) => rows.join("").split(character).length - 1;
      const runs = [...walls.matchAll(/h(\d+)v/g)].map(([, length]) => Number(length));
      assert.equal(
        runs.reduce((sum, length) => sum + length, 0),
        count("#"),
      );
      assert.equal(starts.length, count("1") + count("2"));
      for (const { x, y, pair } of starts)
        assert.equal(rows[Math.floor(y)]![Math.floor(x)], pair, `${x},${y}`);
      const html = htmlOf(MapPicture, { map: name, size: 60 });
      assert.match(html, new RegExp(`viewBox="0 0 ${width} ${height}"`));
      assert.match(html, new RegExp(`<title>The map ${name}</title>`));
    });

  it("is left out for a map that this version does not know", () => {
    for (const map of ["moon", "__proto__", ""]) assert.equal(htmlOf(MapPicture, { map }), "");
  });
});

describe("words for what is out of the ordinary", () => {
  it("differ for retired, suspended and banned bots and a retired version", () => {
    const all = Object.values(STATUS_WORDS).flatMap(({ badge, sentence }) => [badge, sentence]);
    assert.equal(new Set([...all, RETIRED_VERSION]).size, 7);
  });

  it("say why a match was void", () => {
    assert.match(voidWords("server_fault"), /the server failed/);
    assert.match(voidWords("forfeit"), /neither bot was ready/);
  });

  it("say why a place is empty, and what is next", () => {
    const html = htmlOf(Empty, { of: "season", children: "Seven games to go." });
    assert.match(html, /A new season has begun.*Seven games to go\./);
  });
});

describe("the tokens", () => {
  const read = (path: string) => readFileSync(join(PROJECT, path), "utf8");
  const namesIn = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].toSorted();
  const sheets = ["look", "public"].flatMap((room) =>
    readdirSync(join(PROJECT, "src", "site", room))
      .filter((name) => name.endsWith(".css"))
      .map((name) => `src/site/${room}/${name}`),
  );
  const declared = namesIn(read("src/site/look/tokens.css"), /^ {2}(--[\w-]+):/gm);

  it("are all on the page about the look, and no others", () => {
    const page = read("docs/design-language.md");
    assert.deepEqual(namesIn(page, /`(--[\w-]+)`/g), declared);
  });

  it("are the only place with colours", () => {
    for (const path of sheets.filter((one) => !one.endsWith("tokens.css")))
      assert.doesNotMatch(read(path), /#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\(/i, path);
  });

  it("are declared wherever they are used", () => {
    for (const path of sheets) {
      const text = read(path);
      const known = [...declared, ...namesIn(text, /^ {2}(--[\w-]+):/gm)];
      for (const name of namesIn(text, /var\((--[\w-]+)/g))
        assert.ok(known.includes(name), `${path} uses ${name}`);
    }
  });
});
