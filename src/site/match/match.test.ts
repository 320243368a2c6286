import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Page } from "playwright-core";

import type { MatchPageWorld } from "#testing/fixtures/match-page-world.ts";
import {
  matchPageWorld,
  FIRST_BOT,
  SECOND_BOT,
  THIRD_BOT,
  SAMPLE_TICKS,
} from "#testing/fixtures/match-page-world.ts";
import {
  axeViolations,
  horizontalOverflow,
  openPageBrowser,
  layoutShifts,
} from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import { refuseWatchers } from "#testing/fixtures/watch-route.ts";

let world: MatchPageWorld;
let base = "";
before(async () => {
  world = await matchPageWorld();
  base = await world.app.listen({ port: 0, host: "127.0.0.1" });
});
after(() => world.app.close());

type Kind = keyof MatchPageWorld["ids"];
const pageOf = (kind: Kind) => `/match/${world.ids[kind]}`;
const htmlOf = async (kind: Kind) => (await world.app.inject(pageOf(kind))).body;

/** Returns the numbers in each row of the HP table, by column. */
function accountIn(html: string): { parts: number[]; remainingHp: number }[] {
  const [table = ""] = /<table class="sheet account">.*?<\/table>/s.exec(html) ?? [];
  const rows = [...table.matchAll(/<tr[^>]*><th scope="row">.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<td>(?:.*?class="number">)?([−+±\d]+)/gs)].map(([, text]) =>
      Number(text!.replace("−", "-")),
    ),
  );
  return [0, 1].map((column) => ({
    parts: rows.slice(0, -1).map((row) => row[column]!),
    remainingHp: rows.at(-1)![column]!,
  }));
}

describe("match page", () => {
  it("accounts for all HP of both fighters, even after the replay was deleted", async () => {
    for (const kind of ["bout", "trimmed"] as const) {
      const columns = accountIn(await htmlOf(kind));
      for (const { parts, remainingHp } of columns) {
        assert.equal(parts[0], 120);
        assert.equal(
          parts.reduce((sum, part) => sum + part, 0),
          remainingHp,
          kind,
        );
      }
      assert.deepEqual(
        columns.map(({ remainingHp }) => remainingHp),
        [0, 12],
      );
    }
  });

  it("links to each bot's previous and next match", async () => {
    const { ids } = world;
    const links = async (kind: keyof typeof ids) =>
      [...(await htmlOf(kind)).matchAll(/href="\/match\/([^"]+)" rel="(prev|next)"/g)].map(
        ([, id, linkDirection]) => [linkDirection, id],
      );
    assert.deepEqual(await links("bout"), [
      ["prev", ids.previous],
      ["next", ids.older],
      ["prev", ids.previous],
      ["next", ids.older],
    ]);
    assert.deepEqual(await links("broken"), [
      ["prev", ids.forged],
      ["next", ids.next],
      ["prev", ids.forged],
      ["next", ids.fault],
    ]);
    assert.deepEqual(await links("trimmed"), [
      ["next", ids.previous],
      ["next", ids.previous],
    ]);
    assert.deepEqual(await links("human"), [], "it isn't listed");
  });

  it("links to both bots, the files, a verification command and an embed", async () => {
    const html = await htmlOf("bout");
    const { bout } = world.ids;
    for (const text of [
      `href="/bot/${FIRST_BOT}"`,
      `href="/bot/${SECOND_BOT}"`,
      `href="/replays/${bout}.jsonl.gz"`,
      `href="/api/matches/${bout}/stats"`,
      `href="/docs/schema/match-stats.json"`,
      `href="/guide/simulator#replays"`,
      `&lt;iframe src=&quot;http://localhost:7777/view/${bout}&quot;`,
    ])
      assert.ok(html.includes(text), text);
    const linked = [...html.matchAll(/href="(\/(?:docs|api|replays|view|guide)[^"]*)"/g)];
    for (const [, path = ""] of linked)
      assert.equal((await world.app.inject(path)).statusCode, 200, path);
  });

  const WORDS = [
    ["fault", /Void because of a server error.*no rating changed/],
    ["unready", /Void because neither bot was ready.*No ticks were played/s],
    ["human", /A person played in this match\. It's unrated/],
    ["trimmed", /has been deleted: only each bot's latest replays are kept/],
    ["live", /Tick <strong>57<\/strong> of max 300/],
  ] as const;
  for (const [kind, words] of WORDS)
    it(`has its own text for ${kind}`, async () => {
      assert.match(await htmlOf(kind), words);
    });

  it("labels a person as human without linking to a page", async () => {
    const html = await htmlOf("human");
    assert.match(html, /Human against Bob/);
    assert.doesNotMatch(html, /\/bot\/human/);
  });

  it("doesn't link a deleted replay", async () => {
    assert.doesNotMatch(await htmlOf("trimmed"), /href="\/replays\/|Verify this replay/);
  });

  it("has one URL and supports HEAD and 304", async () => {
    const { app, ids } = world;
    for (const page of ["match", "view"]) {
      const url = `/${page}/${ids.bout}`;
      const upper = await app.inject(`/${page}/0190000A-0000-7000-8000-000000000001`);
      const lower = `/${page}/0190000a-0000-7000-8000-000000000001`;
      assert.deepEqual([upper.statusCode, upper.headers.location], [302, lower]);
      const { headers, body } = await app.inject(url);
      const head = await app.inject({ method: "HEAD", url });
      assert.deepEqual([head.statusCode, head.body], [200, ""]);
      assert.equal(head.headers["content-length"], String(Buffer.byteLength(body)));
      const conditionalHeaders = { "if-none-match": String(headers.etag) };
      assert.equal((await app.inject({ url, headers: conditionalHeaders })).statusCode, 304);
    }
  });
});

// The npm package bundles a browser for Linux only.
describe("match page in a browser", { skip: process.platform !== "linux" }, () => {
  let browser: PageBrowser;
  before(async () => {
    browser = await openPageBrowser(base, { prepare: refuseWatchers });
  });
  after(() => browser?.close());

  const waitForTick = (page: Page, tick: number) =>
    page.locator(".hud-tick", { hasText: new RegExp(`^${tick}$`) }).waitFor();

  it("shows the transcript with names, shouts and rejections escaped", async () => {
    await browser.visit(`${pageOf("bout")}#result`, async (page) => {
      await page.getByText("Match transcript").click();
      const text = page.locator(".fight-text");
      await text.getByText(`At the start: ${FIRST_BOT} 120 HP at`).waitFor();
      assert.equal(await text.locator("li").count(), SAMPLE_TICKS);
      await text.getByText("shout “<img src=x onerror=alert(1)> & more”").first().waitFor();
      await text.getByText(`${SECOND_BOT}: no turn: no answer in time`).first().waitFor();
      await text.getByText(`${FIRST_BOT} falls`).waitFor();
      assert.equal(await page.locator("img").count(), 0, "T26");
    });
  });

  it("tells late visitors that the match is over without showing the result", async () => {
    const { ids } = world;
    await browser.visit(`${pageOf("bout")}#live`, async (page) => {
      await page.getByText("This match is over.").waitFor();
      await page.locator("canvas").waitFor();
      const ending = page.getByText("Bob won by knockout");
      assert.equal(await ending.isVisible(), false);
      const next = page.getByRole("link", {
        name: `Live now: ${FIRST_BOT} vs ${SECOND_BOT}`,
      });
      assert.equal(await next.getAttribute("href"), `/match/${ids.live}#live`);
      assert.deepEqual(await layoutShifts(page), []);
      await page.keyboard.press("End");
      await ending.waitFor();
      await page.getByRole("button", { name: "Watch from the start" }).click();
      await page.locator(".hud-tick", { hasText: /^[0-9]$/ }).waitFor();
      await page.goto(base + pageOf("next"));
      await page.locator("canvas").waitFor();
      assert.equal(await page.getByText("This match is over.").isVisible(), false);
    });
    await browser.visit(`${pageOf("live")}#live`, async (page) => {
      await page.getByText("Tick 57 of max 300").waitFor();
      await page.getByLabel("Show results immediately").waitFor();
      assert.equal(await page.locator("html[data-late]").count(), 0);
    });
  });

  it("explains how to get the files without JavaScript", async () => {
    const without = async (kind: Kind) =>
      /<noscript>(.*?)<\/noscript>/s.exec(await htmlOf(kind))?.[1] ?? "";
    const { ids } = world;
    assert.ok((await without("bout")).includes(`href="/replays/${ids.bout}.jsonl.gz"`));
    assert.match(await without("bout"), /bout replay.*href="\/guide\/cli-replay"/s);
    assert.match(await without("live"), /reload it/);
    const checkPage = async (page: Page) => {
      await page.locator("noscript .plain-words").waitFor();
      const stage = await page.locator(".stage-empty").boundingBox();
      assert.ok(stage!.height < 400, "no empty stage");
    };
    await browser.visit(pageOf("bout"), checkPage, { javaScriptEnabled: false });
  });

  it("shows axes and a legend, and lets visitors disable keyboard shortcuts", async () => {
    await browser.visit(`${pageOf("bout")}#tick-20`, async (page) => {
      await waitForTick(page, 20);
      assert.deepEqual(await page.locator(".chart-levels text").allTextContents(), [
        "120",
        "80",
        "40",
        "0",
      ]);
      assert.equal(
        await page.locator(".chart-ticks text").last().textContent(),
        String(SAMPLE_TICKS),
      );
      await page.locator(".chart-legend").getByText(FIRST_BOT).waitFor();
      await page.locator("summary", { hasText: "Keyboard shortcuts" }).click();
      await page.getByText(`previous or next match of ${FIRST_BOT}`).waitFor();
      await page.getByLabel("keyboard shortcuts enabled").uncheck();
      await page.locator("h2", { hasText: "Event log" }).click();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("n");
      await page.waitForTimeout(300);
      await waitForTick(page, 20);
      await page.getByLabel("keyboard shortcuts enabled").check();
      await page.locator("h2", { hasText: "Event log" }).click();
      await page.keyboard.press("n");
      await page.waitForURL(`**${pageOf("older")}`);
    });
  });

  it("says whether this engine reproduces an older engine's replay", async () => {
    await browser.visit(pageOf("older"), async (page) => {
      await page.getByText("played with engine 0.1.0.").waitFor();
      await page.getByText("reproduces every tick").waitFor();
    });
    await browser.visit(pageOf("forged"), async (page) => {
      await page.getByText("Accurate up to tick 9").waitFor();
      await page.locator("canvas").waitFor();
    });
  });

  it("shows the ticks played in a void match", async () => {
    await browser.visit(pageOf("fault"), async (page) => {
      await page.locator("canvas").waitFor();
      assert.equal(await page.getByText("doesn't verify").count(), 0);
    });
  });

  it("offers a reload once if a chunk of the page is missing", async () => {
    await browser.visit(pageOf("bout"), async (page) => {
      await page.route(/\/assets\/viewer-/, (route) => route.fulfill({ status: 404 }));
      await page.reload();
      await page.getByText("Part of this page couldn't be loaded").waitFor();
      assert.equal(await page.locator("#reload").count(), 1);
      await page.unroute(/\/assets\/viewer-/);
      await page.getByRole("button", { name: "Reload page" }).click();
      await page.locator("canvas").waitFor();
      assert.equal(await page.locator("#reload").count(), 0);
    });
  });

  const SEEN = [
    ["bout", "", "canvas"],
    ["bout", "#result", "canvas"],
    ["trimmed", "", ".account"],
    ["human", "", "canvas"],
    ["unready", "", ".remark"],
  ] as const;
  for (const [kind, hash, visibleText] of SEEN)
    for (const width of [320, 390, 1440])
      it(`${kind}${hash} fits and is accessible at ${width} px`, async () => {
        const pageOptions = { viewport: { width, height: 900 } } as const;
        for (const colorScheme of width === 390 ? (["light", "dark"] as const) : ["light" as const])
          await browser.visit(
            pageOf(kind) + hash,
            async (page) => {
              await page.locator(visibleText).waitFor();
              assert.ok((await horizontalOverflow(page)) <= 0);
              if (width === 320) return;
              await page.evaluate(
                "document.querySelectorAll('details').forEach((d) => (d.open = true))",
              );
              assert.deepEqual(await axeViolations(page), []);
            },
            { ...pageOptions, colorScheme, reducedMotion: "reduce" },
          );
      });

  const FOLLOWED = [
    ["live", 390],
    ["late", 1440],
  ] as const;
  for (const [kind, width] of FOLLOWED)
    it(`changes from a running match to its replay without layout shifts at ${width} px`, async () => {
      const running = world.arena.matches.find(({ id }) => id === world.ids[kind])!;
      const checkPage = async (page: Page) => {
        await page.getByText("The replay starts here when it ends").waitFor();
        running.tick = 99;
        await page.getByText("Tick 99 of max 300").waitFor();
        await page.evaluate("globalThis.shifts.length = 0");
        await world.endMatch(kind);
        await page.locator("canvas").waitFor();
        await page.getByRole("button", { name: "Pause" }).waitFor();
        await page.getByRole("button", { name: "Show result" }).waitFor();
        assert.deepEqual(await layoutShifts(page), []);
        await page.keyboard.press("End");
        await page.getByText(`Why ${FIRST_BOT} lost`).waitFor();
      };
      await browser.visit(pageOf(kind), checkPage, { viewport: { width, height: 900 } });
    });

  it("links a third bot's page", async () => {
    await browser.visit(pageOf("next"), async (page) => {
      await page.getByRole("link", { name: THIRD_BOT, exact: true }).first().waitFor();
    });
  });
});
