// Signing in at a GoTrue project elsewhere, in a real browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  heading,
  openAccountPages,
  press,
  signIn,
  signUp,
} from "#testing/fixtures/account-pages.ts";
import { openProjectSite } from "#testing/fixtures/account-site.ts";
import { buttonOf } from "#testing/fixtures/identity-world.ts";
import { sampleId } from "#testing/store-cases/store-samples.ts";

test(
  "signs people in at a project elsewhere, which all pages but framed ones may call",
  { skip: process.platform !== "linux" },
  async () => {
    const pages = await openAccountPages();
    const site = await openProjectSite();
    try {
      const policyOf = async (path: string) =>
        (await fetch(site.baseUrl + path)).headers.get("content-security-policy") ?? "";
      const named = /connect-src 'self' http:\/\/localhost:\d+;/;
      for (const path of ["/account", "/account/authorize", "/create-bot", "/", "/guide"])
        assert.match(await policyOf(path), named);
      assert.doesNotMatch(await policyOf(`/view/${sampleId("match", 1)}`), /connect-src/);
      await pages.visit(`${site.baseUrl}/account`, async (page) => {
        await signUp(page, "far@example.org");
        // The project is another server, which has no page of ours.
        await page.goto(buttonOf((await site.letter("far@example.org")).link));
        await heading(page, "Choose a handle").waitFor();
        assert.equal(page.url(), `${site.baseUrl}/account`);
        await press(page, "Take it");
        await heading(page, "far").waitFor();
        await press(page, "Sign out");
        await signIn(page, "far@example.org");
        await heading(page, "far").waitFor();
      });
    } finally {
      await site.close();
      await pages.close();
    }
  },
);
