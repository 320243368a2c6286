import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Page } from "playwright-core";

import type { BoutWorld } from "#testing/fixtures/bout-world.ts";
import { boutWorld, FIRST, SECOND, THIRD, TICKS } from "#testing/fixtures/bout-world.ts";
import {
  axeFindings,
  excessOf,
  openPageBrowser,
  shiftsOf,
} from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";

let world: BoutWorld;
let base = "";
before(async () => {
  world = await boutWorld();
  base = await world.app.listen({ port: 0, host: "127.0.0.1" });
});
after(() => world.app.close());

const pageOf = (kind: keyof BoutWorld["ids"]) => `/match/${world.ids[kind]}`;
const htmlOf = async (kind: keyof BoutWorld["ids"]) => (await world.app.inject(pageOf(kind))).body;

/** The cells of each row of the account, by column, as numbers. */
function accountIn(html: string): { parts: number[]; left: number }[] {
  const [table = ""] = /<table class="sheet account">.*?<\/table>/s.exec(html) ?? [];
  const rows = [...table.matchAll(/<tr[^>]*><th scope="row">.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<td>(?:.*?class="number">)?([−+±\d]+)/gs)].map(([, text]) =>
      Number(text!.replace("−", "-")),
    ),
  );
  return [0, 1].map((column) => ({
    parts: rows.slice(0, -1).map((row) => row[column]!),
    left: rows.at(-1)![column]!,
  }));
}

describe("the page of a bout", () => {
  it("accounts for every hit point of both, also once the replay is gone", async () => {
    for (const kind of ["bout", "trimmed"] as const) {
      const columns = accountIn(await htmlOf(kind));
      for (const { parts, left } of columns) {
        assert.equal(parts[0], 120);
        assert.equal(
          parts.reduce((sum, part) => sum + part, 0),
          left,
          kind,
        );
      }
      assert.deepEqual(
        columns.map(({ left }) => left),
        [0, 12],
      );
    }
  });

  it("leads to the bouts before and after it in the list of each of its bots", async () => {
    const { ids } = world;
    const links = async (kind: keyof typeof ids) =>
      [...(await htmlOf(kind)).matchAll(/href="\/match\/([^"]+)" rel="(prev|next)"/g)].map(
        ([, id, way]) => [way, id],
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
    assert.deepEqual(await links("human"), [], "it stands in no list");
  });

  it("leads to both bots, the files, what checks them, and a frame", async () => {
    const html = await htmlOf("bout");
    const { bout } = world.ids;
    for (const text of [
      `href="/bot/${FIRST}"`,
      `href="/bot/${SECOND}"`,
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
    ["fault", /Void: the server failed during this bout.*no rating moved/],
    ["unready", /Void: neither bot said that it was ready.*No tick was fought/s],
    ["human", /A person fought in this bout\. It is unrated/],
    ["trimmed", /no longer kept: only those of each bot’s newest bouts are/],
    ["live", /Tick <strong>57<\/strong> of at most 300/],
  ] as const;
  for (const [kind, words] of WORDS)
    it(`has words of its own for one of the kind ${kind}`, async () => {
      assert.match(await htmlOf(kind), words);
    });

  it("names a person as one, without a page", async () => {
    const html = await htmlOf("human");
    assert.match(html, /Human against Bob/);
    assert.doesNotMatch(html, /\/bot\/human/);
  });

  it("links no replay that is gone", async () => {
    assert.doesNotMatch(await htmlOf("trimmed"), /href="\/replays\/|Verify it yourself/);
  });

  it("has one address, answers HEAD, and 304 to who has it", async () => {
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
      const known = { "if-none-match": String(headers.etag) };
      assert.equal((await app.inject({ url, headers: known })).statusCode, 304);
    }
  });
});

// The browser in the npm package is built for Linux.
describe("the page of a bout in a browser", { skip: process.platform !== "linux" }, () => {
  let browser: PageBrowser;
  before(async () => {
    browser = await openPageBrowser(base);
  });
  after(() => browser?.close());

  const waitForTick = (page: Page, tick: number) =>
    page.locator(".hud-tick", { hasText: new RegExp(`^${tick}$`) }).waitFor();

  it("tells the whole bout as text, with names, shouts and refusals as they are", async () => {
    await browser.visit(pageOf("bout"), async (page) => {
      await page.getByText("The whole bout as text").click();
      const text = page.locator(".fight-text");
      await text.getByText(`At the start: ${FIRST} 120 hp at`).waitFor();
      assert.equal(await text.locator("li").count(), TICKS);
      await text.getByText("shout “<img src=x onerror=alert(1)> & more”").first().waitFor();
      await text.getByText(`${SECOND}: no turn: no answer in time`).first().waitFor();
      await text.getByText(`${FIRST} falls`).waitFor();
      assert.equal(await page.locator("img").count(), 0, "T26");
    });
  });

  it("hides the result until it was watched, remembers the choice, and moves nothing", async () => {
    await browser.visit(pageOf("bout"), async (page) => {
      const ending = page.getByText("Bob won by knockout");
      assert.ok(await ending.isVisible());
      await page.getByRole("button", { name: "Hide results until watched" }).click();
      await page.reload();
      await page.locator("canvas").waitFor();
      for (const told of [ending, page.getByText("won", { exact: true }), page.locator("#why")])
        assert.equal(await told.isVisible(), false);
      await page.keyboard.press("Home");
      assert.equal(await page.locator(".log > li").count(), 0, "nothing is told ahead");
      await page.keyboard.press("End");
      await ending.waitFor();
      await page.locator("#why").waitFor();
      await page.reload();
      await page.getByRole("button", { name: "Always show results" }).waitFor();
      assert.ok(await ending.isVisible(), "it was watched");
      await page.goto(base + pageOf("next"));
      await page.getByRole("button", { name: "Show the result" }).waitFor();
      assert.equal(await page.locator(".ending.of-result").isVisible(), false);
      await page.getByRole("button", { name: "Show the result" }).click();
      assert.ok(await page.locator(".ending.of-result").isVisible());
    });
  });

  it("rewinds a replay at its last tick when the reader hides results", async () => {
    await browser.visit(`${pageOf("bout")}#tick-${TICKS}`, async (page) => {
      await waitForTick(page, TICKS);
      await page.getByRole("button", { name: "Hide results until watched" }).click();
      await waitForTick(page, 0);
      assert.equal(await page.locator(".log > li").count(), 0);
      await page.locator("h2", { hasText: "What happened" }).click();
      await page.keyboard.press("End");
      await page.locator(".ending.of-result").waitFor();
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      await waitForTick(page, 1);
      await page.getByRole("button", { name: "Always show results" }).click();
      await page.getByRole("button", { name: "Hide results until watched" }).click();
      await page.locator(".log > li", { hasText: "falls" }).waitFor({ state: "detached" });
      await waitForTick(page, 1);
    });
  });

  it("says to who comes too late that it is over, and not how it ended", async () => {
    const { ids } = world;
    await browser.visit(`${pageOf("bout")}#live`, async (page) => {
      await page.getByText("This bout is over.").waitFor();
      await page.locator("canvas").waitFor();
      const ending = page.getByText("Bob won by knockout");
      assert.equal(await ending.isVisible(), false);
      const next = page.getByRole("link", { name: `In the ring now: ${FIRST} vs ${SECOND}` });
      assert.equal(await next.getAttribute("href"), `/match/${ids.live}#live`);
      assert.deepEqual(await shiftsOf(page), []);
      await page.keyboard.press("End");
      await ending.waitFor();
      await page.getByRole("button", { name: "Watch from the start" }).click();
      await page.locator(".hud-tick", { hasText: /^[0-9]$/ }).waitFor();
      await page.goto(base + pageOf("next"));
      await page.locator("canvas").waitFor();
      assert.equal(await page.getByText("This bout is over.").isVisible(), false);
      assert.ok(await page.locator(".ending.of-result").isVisible());
    });
    await browser.visit(`${pageOf("live")}#live`, async (page) => {
      await page.getByText("Tick 57 of at most 300").waitFor();
      await page.getByRole("button", { name: "Hide results until watched" }).waitFor();
      assert.equal(await page.locator("html[data-late], html[data-results]").count(), 0);
    });
  });

  it("has words and the way to the files for readers without a script", async () => {
    const without = async (kind: keyof BoutWorld["ids"]) =>
      /<noscript>(.*?)<\/noscript>/s.exec(await htmlOf(kind))?.[1] ?? "";
    const { ids } = world;
    assert.ok((await without("bout")).includes(`href="/replays/${ids.bout}.jsonl.gz"`));
    assert.match(await without("bout"), /bout replay.*href="\/guide\/cli-replay"/s);
    assert.match(await without("live"), /load it again/);
    const look = async (page: Page) => {
      await page.locator("noscript .plain-words").waitFor();
      const stage = await page.locator(".stage-empty").boundingBox();
      assert.ok(stage!.height < 400, "no empty stage");
    };
    await browser.visit(pageOf("bout"), look, { javaScriptEnabled: false });
  });

  it("shows axes and a legend, and keys that can be turned off", async () => {
    await browser.visit(`${pageOf("bout")}#tick-20`, async (page) => {
      await waitForTick(page, 20);
      assert.deepEqual(await page.locator(".chart-levels text").allTextContents(), [
        "120",
        "80",
        "40",
        "0",
      ]);
      assert.equal(await page.locator(".chart-ticks text").last().textContent(), String(TICKS));
      await page.locator(".chart-legend").getByText(FIRST).waitFor();
      await page.locator("summary", { hasText: "Keys" }).click();
      await page.getByText(`previous or next bout of ${FIRST}`).waitFor();
      await page.getByLabel("this page listens to keys").uncheck();
      await page.locator("h2", { hasText: "What happened" }).click();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("n");
      await page.waitForTimeout(300);
      await waitForTick(page, 20);
      await page.getByLabel("this page listens to keys").check();
      await page.locator("h2", { hasText: "What happened" }).click();
      await page.keyboard.press("n");
      await page.waitForURL(`**${pageOf("older")}`);
    });
  });

  it("says of an older engine’s replay whether this one agrees", async () => {
    await browser.visit(pageOf("older"), async (page) => {
      await page.getByText("fought with engine 0.1.0.").waitFor();
      await page.getByText("comes to the same in every tick").waitFor();
    });
    await browser.visit(pageOf("forged"), async (page) => {
      await page.getByText("Up to tick 9 the picture is what was fought").waitFor();
      await page.locator("canvas").waitFor();
    });
  });

  it("shows what was fought of a void bout", async () => {
    await browser.visit(pageOf("fault"), async (page) => {
      await page.locator("canvas").waitFor();
      assert.equal(await page.getByText("does not verify").count(), 0);
    });
  });

  it("offers a reload, once, if a part of the page is gone", async () => {
    await browser.visit(pageOf("bout"), async (page) => {
      await page.route(/\/assets\/viewer-/, (route) => route.fulfill({ status: 404 }));
      await page.reload();
      await page.getByText("A part of this page could not be loaded").waitFor();
      assert.equal(await page.locator("#reload").count(), 1);
      await page.unroute(/\/assets\/viewer-/);
      await page.getByRole("button", { name: "Reload the page" }).click();
      await page.locator("canvas").waitFor();
      assert.equal(await page.locator("#reload").count(), 0);
    });
  });

  const SEEN = [
    ["bout", "canvas"],
    ["trimmed", ".account"],
    ["human", "canvas"],
    ["unready", ".remark"],
  ] as const;
  for (const [kind, shown] of SEEN)
    for (const width of [320, 390, 1440])
      it(`of the kind ${kind} fits and is accessible at ${width} px`, async () => {
        const looks = { viewport: { width, height: 900 } } as const;
        for (const colorScheme of width === 390 ? (["light", "dark"] as const) : ["light" as const])
          await browser.visit(
            pageOf(kind),
            async (page) => {
              await page.locator(shown).waitFor();
              assert.ok((await excessOf(page)) <= 0);
              if (width === 320) return;
              await page.evaluate(
                "document.querySelectorAll('details').forEach((d) => (d.open = true))",
              );
              assert.deepEqual(await axeFindings(page), []);
            },
            { ...looks, colorScheme, reducedMotion: "reduce" },
          );
      });

  const FOLLOWED = [
    ["live", 390],
    ["late", 1440],
  ] as const;
  for (const [kind, width] of FOLLOWED)
    it(`turns by itself from a running bout into its replay, unmoved at ${width} px`, async () => {
      const running = world.arena.matches.find(({ id }) => id === world.ids[kind])!;
      const look = async (page: Page) => {
        await page.getByText("The replay starts here as soon as it has ended").waitFor();
        running.tick = 99;
        await page.getByText("Tick 99 of at most 300").waitFor();
        await page.evaluate("globalThis.shifts.length = 0");
        await world.end(kind);
        await page.locator("canvas").waitFor();
        await page.getByRole("button", { name: "Pause" }).waitFor();
        await page.getByText(`Why ${FIRST} lost`).waitFor();
        assert.deepEqual(await shiftsOf(page), []);
      };
      await browser.visit(pageOf(kind), look, { viewport: { width, height: 900 } });
    });

  it("leads to the third bot too", async () => {
    await browser.visit(pageOf("next"), async (page) => {
      await page.getByRole("link", { name: THIRD, exact: true }).first().waitFor();
    });
  });
});
