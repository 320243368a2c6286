import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";

import type { FrameLocator, Page } from "playwright-core";

import type { MatchPageWorld } from "#testing/fixtures/match-page-world.ts";
import { matchPageWorld, FIRST_BOT, SAMPLE_TICKS } from "#testing/fixtures/match-page-world.ts";
import {
  axeViolations,
  horizontalOverflow,
  openPageBrowser,
} from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";

let world: MatchPageWorld;
let base = "";
before(async () => {
  world = await matchPageWorld();
  base = await world.app.listen({ port: 0, host: "127.0.0.1" });
});
after(() => world.app.close());

const viewOf = (kind: keyof MatchPageWorld["ids"]) => `/view/${world.ids[kind]}`;

describe("embedded viewer", () => {
  it("has no link that navigates its frame", async () => {
    const paths = [viewOf("bout"), viewOf("live"), "/view/nothing"];
    for (const path of paths) {
      const { body } = await world.app.inject(path);
      const links = [...body.matchAll(/<a [^>]*>/g)].map(([link]) => link);
      assert.ok(links.length > 0, path);
      for (const link of links) assert.match(link, /target="_blank" rel="noopener"/, path);
      assert.doesNotMatch(body, /class="(?:masthead|footer|skip)"/, path);
    }
  });

  it("isn't indexed, unlike the match page", async () => {
    const { body } = await world.app.inject(viewOf("bout"));
    assert.match(body, /<meta name="robots" content="noindex"\/>/);
  });
});

/** Serves a single page with a frame from another site. */
async function otherSite(headers: Record<string, string> = {}) {
  const server: Server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://other");
    response.writeHead(200, { "content-type": "text/html", ...headers });
    const sandbox = searchParams.get("sandbox");
    response.end(
      `<!doctype html><title>Other</title><iframe title="framed" width="320" height="240" ${
        sandbox === null ? "" : `sandbox="${sandbox}"`
      } src="${searchParams.get("src")}"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const framing = (path: string, sandbox = "") =>
    `http://127.0.0.1:${port}/?src=${encodeURIComponent(base + path)}${sandbox}`;
  return { framing, [Symbol.asyncDispose]: async () => void server.close() };
}

// The npm package bundles a browser for Linux only.
describe("embedded viewer in a browser", { skip: process.platform !== "linux" }, () => {
  let browser: PageBrowser;
  before(async () => {
    browser = await openPageBrowser(base);
  });
  after(() => browser?.close());

  const frameIn = (page: Page): FrameLocator => page.frameLocator("iframe");

  const plays = async (page: Page) => {
    const frame = frameIn(page);
    await frame.getByRole("button", { name: "Play" }).click();
    await frame.getByRole("button", { name: "Pause" }).waitFor();
    await frame.getByRole("slider", { name: "Tick" }).fill(String(SAMPLE_TICKS));
    await frame.getByText("0 hp", { exact: true }).waitFor();
  };

  it("plays in a frame on another site at 320 by 240 pixels", async () => {
    await using site = await otherSite();
    await browser.visit(site.framing(viewOf("bout")), plays);
  });

  it("plays in a frame without an origin or storage", async () => {
    await using site = await otherSite();
    await browser.visit(site.framing(viewOf("bout"), "&sandbox=allow-scripts"), plays);
  });

  it("plays in a cross-origin isolated page", async () => {
    await using site = await otherSite({
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    });
    await browser.visit(site.framing(viewOf("bout")), async (page) => {
      assert.equal(await page.evaluate("crossOriginIsolated"), true);
      await plays(page);
    });
  });

  it("is the only page that can be embedded", async () => {
    await using site = await otherSite();
    const checkPage = async (page: Page) => {
      await page.waitForTimeout(500);
      assert.equal(await frameIn(page).locator("canvas").count(), 0);
    };
    const visitedPage = browser.visit(site.framing(`/match/${world.ids.bout}`), checkPage);
    await assert.rejects(visitedPage, /frame-ancestors 'none'/);
  });

  for (const [width, height] of [
    [320, 240],
    [640, 480],
    [1440, 900],
  ] as const)
    it(`fits ${width} by ${height} pixels and is accessible`, async () => {
      const checkPage = async (page: Page) => {
        await page.locator("canvas").waitFor();
        const over = "document.documentElement.scrollHeight - innerHeight";
        assert.ok(
          (await horizontalOverflow(page)) <= 0 && (await page.evaluate<number>(over)) <= 0,
        );
        const box = await page.locator("canvas").boundingBox();
        assert.ok(box !== null && box.height > height / 2, JSON.stringify(box));
        await page.getByText(FIRST_BOT).first().waitFor();
        assert.deepEqual(await axeViolations(page), []);
      };
      for (const colorScheme of ["light", "dark"] as const)
        await browser.visit(viewOf("bout"), checkPage, {
          viewport: { width, height },
          colorScheme,
        });
    });

  it("shows names, HP bars, captions, speeds and a link to the match page", async () => {
    await using site = await otherSite();
    await browser.visit(site.framing(viewOf("bout")), async (page) => {
      const frame = frameIn(page);
      await frame.locator("canvas").waitFor();
      await frame.getByText(FIRST_BOT).last().waitFor();
      assert.equal(await frame.locator(".hp").count(), 2);
      await frame.getByRole("combobox", { name: "Speed" }).selectOption("16×");
      await frame.getByRole("slider", { name: "Tick" }).fill(String(SAMPLE_TICKS));
      await frame.getByText(`${FIRST_BOT} is down. It is over!`).waitFor();
      const parts = [".small-hud", "canvas", ".small-caption", ".small-controls"];
      const boxes = await Promise.all(
        parts.map(async (part) => (await frame.locator(part).boundingBox())!),
      );
      const frameBox = (await page.locator("iframe").boundingBox())!;
      for (const [index, { y, height }] of boxes.entries()) {
        const next = boxes[index + 1]?.y ?? frameBox.y + frameBox.height;
        assert.ok(y >= frameBox.y && y + height <= next + 0.5, parts[index] ?? "");
      }
      const link = frame.getByRole("link", { name: "Match page" });
      assert.equal(await link.getAttribute("href"), `/match/${world.ids.bout}`);
      assert.equal(await link.getAttribute("target"), "_blank");
    });
  });

  it("follows a running match to its end", async () => {
    await browser.visit(viewOf("live"), async (page) => {
      await page.getByText("This match is running: tick 57.").waitFor();
      await world.endMatch("live");
      await page.locator("canvas").waitFor();
    });
  });

  const WORDS = [
    ["trimmed", "The replay has been deleted."],
    ["unready", "neither bot was ready in time"],
    ["broken", "Couldn't show the replay"],
  ] as const;
  for (const [kind, text] of WORDS)
    it(`has a text for ${kind}`, async () => {
      await browser.visit(viewOf(kind), (page) => page.getByText(text).waitFor());
    });
});
