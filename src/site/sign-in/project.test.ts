// Signs in with an external GoTrue project, in a real browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  headingLocator,
  openAccountPages,
  clickButton,
  fillSignIn,
  fillSignUp,
} from "#testing/fixtures/account-pages.ts";
import { openProjectSite } from "#testing/fixtures/account-site.ts";
import { verifyLinkOf } from "#testing/fixtures/identity-world.ts";
import { sampleId } from "#testing/store-contract/store-samples.ts";

test(
  "signs in with an external project that all pages except embeds may call",
  { skip: process.platform !== "linux" },
  async () => {
    const pages = await openAccountPages();
    const app = await openProjectSite();
    try {
      const policyOf = async (path: string) =>
        (await fetch(app.baseUrl + path)).headers.get("content-security-policy") ?? "";
      const policyHosts = /connect-src 'self' http:\/\/localhost:\d+;/;
      for (const path of ["/account", "/account/authorize", "/create-bot", "/", "/guide"])
        assert.match(await policyOf(path), policyHosts);
      assert.doesNotMatch(await policyOf(`/view/${sampleId("match", 1)}`), /connect-src/);
      await pages.visit(`${app.baseUrl}/account`, async (page) => {
        await fillSignUp(page, "far@example.org");
        // The project runs on another server, so this opens the link directly.
        await page.goto(verifyLinkOf((await app.latestEmail("far@example.org")).link));
        await headingLocator(page, "Choose a handle").waitFor();
        assert.equal(page.url(), `${app.baseUrl}/account`);
        await clickButton(page, "Save handle");
        await headingLocator(page, "far").waitFor();
        await clickButton(page, "Sign out");
        await fillSignIn(page, "far@example.org");
        await headingLocator(page, "far").waitFor();
      });
    } finally {
      await app.close();
      await pages.close();
    }
  },
);
