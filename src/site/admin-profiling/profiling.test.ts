import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";
import { Value } from "typebox/value";

import { CpuProfileSchema } from "#core/api/clean-profile.ts";
import {
  DARK_OPTIONS,
  assertPageIsValid,
  PHONE_OPTIONS,
  clickButton,
} from "#testing/fixtures/account-pages.ts";
import {
  openDialog,
  openConsolePages,
  rowWith,
  waitForStatus,
} from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { testProfiling } from "#testing/fixtures/test-profiling.ts";
import type { TestProfiling } from "#testing/fixtures/test-profiling.ts";

const CAPTURES = "/api/admin/profiling/captures";

describe("profiling in the console", { skip: process.platform !== "linux" }, () => {
  let consolePages: ConsolePages;
  let profiling: TestProfiling;
  before(async () => {
    profiling = await testProfiling();
    consolePages = await openConsolePages({ profiling });
  });
  after(async () => {
    await profiling?.stop();
    await consolePages?.pages.close();
  });

  const begin = async (page: Page, label: string, seconds: string) => {
    await clickButton(page, "Record a capture");
    await openDialog(page).getByLabel("Label").fill(label);
    await openDialog(page).getByLabel("Duration in seconds").fill(seconds);
    await openDialog(page).getByRole("button", { name: "Record", exact: true }).click();
  };

  test("records a capture, shows its progress and downloads the profile", async () => {
    await consolePages.visitPanel("profiling", async (page) => {
      await page.getByText("No captures yet.").waitFor();
      await begin(page, "<b>slow</b> evening", "61");
      await openDialog(page).getByText("Must be a number from 0.05 to 60.").waitFor();
      await assertPageIsValid(page);
      await openDialog(page).getByLabel("Duration in seconds").fill("60");
      await openDialog(page).getByRole("button", { name: "Record", exact: true }).click();
      await waitForStatus(page, "<b>slow</b> evening is being recorded until");
      await rowWith(page, "<b>slow</b> evening").getByText("recording").waitFor();
      assert.equal(await page.getByRole("button", { name: "Record a capture" }).count(), 0);
      await assertPageIsValid(page);
      profiling.endCapture();
      await rowWith(page, "<b>slow</b> evening").getByText("ready").waitFor();
      await page.getByRole("button", { name: "Record a capture" }).waitFor();
      const coming = page.waitForEvent("download");
      await clickButton(page, "Download <b>slow</b> evening");
      const download = await coming;
      const { captures } = await consolePages.adminRequest(
        consolePages.adminToken,
        "GET",
        "/api/admin/profiling",
      );
      const [{ id }] = captures as unknown as [{ id: string }];
      assert.equal(download.suggestedFilename(), `${id}.cpuprofile`);
      const profile: unknown = JSON.parse(readFileSync(await download.path(), "utf8"));
      assert.ok(Value.Check(CpuProfileSchema, profile));
      await waitForStatus(page, "Downloaded <b>slow</b> evening");
    });
  });

  test("shows current metrics, including on a phone in dark mode", async () => {
    await consolePages.visitPanel(
      "profiling",
      async (page) => {
        await page.getByRole("img", { name: /^CPU, one core: [\d.]+ % now/ }).waitFor();
        await page.getByRole("img", { name: /^Matches: 3 now, max 3/ }).waitFor();
        const operations = page.getByRole("table", { name: "Operations" });
        await operations.getByRole("row", { name: /GET \/api\/admin\/profiling / }).waitFor();
        await page.getByRole("table", { name: "Garbage collection" }).waitFor();
        await page.getByLabel("Search in: Operations").fill("captures");
        await operations.getByRole("row", { name: /POST .*captures/ }).waitFor();
        await assertPageIsValid(page);
      },
      { ...PHONE_OPTIONS, ...DARK_OPTIONS },
    );
  });

  test("says why a capture failed, without a download link", async () => {
    await consolePages.visitPanel("profiling", async (page) => {
      await consolePages.adminRequest(consolePages.adminToken, "POST", CAPTURES, {
        label: "cut",
        duration_seconds: 60,
      });
      await rowWith(page, "cut").getByText("recording").waitFor();
      await profiling.stop();
      await rowWith(page, "cut")
        .getByText("failed: the server was stopped while recording")
        .waitFor();
      assert.equal(await page.getByRole("button", { name: "Download cut" }).count(), 0);
      await assertPageIsValid(page);
    });
  });
});

describe("disabled profiling in the console", { skip: process.platform !== "linux" }, () => {
  test("says how to enable it", async () => {
    const consolePages = await openConsolePages();
    try {
      await consolePages.visitPanel("profiling", async (page) => {
        await page.getByText("--profiling", { exact: true }).waitFor();
        await page.getByText("BOUT_PROFILING=on", { exact: true }).waitFor();
        assert.equal(await page.getByRole("button", { name: "Record a capture" }).count(), 0);
        await assertPageIsValid(page);
        const guide = page.getByRole("link", { name: "the guide for operators" });
        await guide.click();
        await page.locator("h2#turn-on-profiling").waitFor();
      });
    } finally {
      await consolePages.pages.close();
    }
  });
});
