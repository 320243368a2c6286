// Operators record a profile in the console and download it, in a real browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";
import { Value } from "typebox/value";

import { CpuProfileSchema } from "#core/operator/clean-profile.ts";
import { DARK, isSound, PHONE, press } from "#testing/fixtures/account-pages.ts";
import { dialogOf, openConsolePages, rowOf, said } from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { testProfiling } from "#testing/fixtures/test-profiling.ts";
import type { TestProfiling } from "#testing/fixtures/test-profiling.ts";

const CAPTURES = "/api/admin/profiling/captures";

describe("profiling in the console", { skip: process.platform !== "linux" }, () => {
  let opened: ConsolePages;
  let profiling: TestProfiling;
  before(async () => {
    profiling = await testProfiling();
    opened = await openConsolePages({ profiling });
  });
  after(async () => {
    await profiling?.stop();
    await opened?.pages.close();
  });

  const begin = async (page: Page, label: string, seconds: string) => {
    await press(page, "Record a capture");
    await dialogOf(page).getByLabel("What is it about?").fill(label);
    await dialogOf(page).getByLabel("For how many seconds?").fill(seconds);
    await dialogOf(page).getByRole("button", { name: "Record", exact: true }).click();
  };

  test("records a capture, follows it, and downloads it", async () => {
    await opened.visit("profiling", async (page) => {
      await page.getByText("Nothing has been recorded yet.").waitFor();
      await begin(page, "<b>slow</b> evening", "61");
      await dialogOf(page).getByText("A number from 0.05 to 60.").waitFor();
      await isSound(page);
      await dialogOf(page).getByLabel("For how many seconds?").fill("60");
      await dialogOf(page).getByRole("button", { name: "Record", exact: true }).click();
      await said(page, "<b>slow</b> evening is being recorded until");
      await rowOf(page, "<b>slow</b> evening").getByText("recording").waitFor();
      assert.equal(await page.getByRole("button", { name: "Record a capture" }).count(), 0);
      await isSound(page);
      profiling.end();
      await rowOf(page, "<b>slow</b> evening").getByText("ready").waitFor();
      await page.getByRole("button", { name: "Record a capture" }).waitFor();
      const coming = page.waitForEvent("download");
      await press(page, "Download <b>slow</b> evening");
      const download = await coming;
      const { captures } = await opened.ask(opened.operator, "GET", "/api/admin/profiling");
      const [{ id }] = captures as unknown as [{ id: string }];
      assert.equal(download.suggestedFilename(), `${id}.cpuprofile`);
      const profile: unknown = JSON.parse(readFileSync(await download.path(), "utf8"));
      assert.ok(Value.Check(CpuProfileSchema, profile));
      await said(page, "is downloaded");
    });
  });

  test("shows what the server does, on a phone in the dark too", async () => {
    await opened.visit(
      "profiling",
      async (page) => {
        await page.getByRole("img", { name: /^Processor, of one core: [\d.]+ % now/ }).waitFor();
        await page.getByRole("img", { name: /^Bouts: 3 now, 3 at most/ }).waitFor();
        const operations = page.getByRole("table", { name: "Operations" });
        await operations.getByRole("row", { name: /GET \/api\/admin\/profiling / }).waitFor();
        await page.getByRole("table", { name: "Garbage collection" }).waitFor();
        await page.getByLabel("Look for in: Operations").fill("captures");
        await operations.getByRole("row", { name: /POST .*captures/ }).waitFor();
        await isSound(page);
      },
      { ...PHONE, ...DARK },
    );
  });

  test("says why a capture failed, and offers no file of it", async () => {
    await opened.visit("profiling", async (page) => {
      await opened.ask(opened.operator, "POST", CAPTURES, { label: "cut", duration_seconds: 60 });
      await rowOf(page, "cut").getByText("recording").waitFor();
      await profiling.stop();
      await rowOf(page, "cut").getByText("failed: the server was stopped meanwhile").waitFor();
      assert.equal(await page.getByRole("button", { name: "Download cut" }).count(), 0);
      await isSound(page);
    });
  });
});

describe("profiling that is off, in the console", { skip: process.platform !== "linux" }, () => {
  test("says how to switch it on", async () => {
    const opened = await openConsolePages();
    try {
      await opened.visit("profiling", async (page) => {
        await page.getByText("--profiling", { exact: true }).waitFor();
        await page.getByText("BOUT_PROFILING=on", { exact: true }).waitFor();
        assert.equal(await page.getByRole("button", { name: "Record a capture" }).count(), 0);
        await isSound(page);
        const guide = page.getByRole("link", { name: "the guide for operators" });
        await guide.click();
        await page.locator("h2#turn-on-profiling").waitFor();
      });
    } finally {
      await opened.pages.close();
    }
  });
});
