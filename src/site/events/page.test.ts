import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import type { EventProgress } from "#core/api/event.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import {
  DARK_OPTIONS,
  headingLocator,
  assertPageIsValid,
  openAccountPages,
  PHONE_OPTIONS,
  clickButton,
  fillSignIn,
} from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { TEST_PASSWORD } from "#testing/fixtures/identity-world.ts";
import { renderWholePage } from "#testing/fixtures/project.ts";
import { sampleEvent, sampleProgress } from "#testing/fixtures/sample-event.ts";
import { renderHtml, importSiteModule } from "#testing/fixtures/site-components.ts";
import { bearerHeader, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

import type { AchievementsData, LaddersData } from "./data.ts";
import type * as BannerFile from "./ladder-banner.tsx";

const MARKUP = `<img src=x onerror="alert(1)"><b>x</b>`;
const FLAG = "BOUT{the-flag}";

test("without accounts, shows ladders and says why joining isn't possible", async () => {
  const { app, ladders } = testApi();
  ladders.upsert({ ...PUBLIC_LADDER, id: "cup", name: "Cup", opensAt: "2027-01-01T00:00:00.000Z" });
  const text = (await app.inject("/ladders")).body.replaceAll(/<[^>]+>/g, " ");
  assert.match(
    text,
    /This server has no accounts\..*Open now.*Public.*Upcoming.*Cup.*Opens in 36\d/s,
  );
  const emptyHtml = (await app.inject("/achievements")).body;
  assert.match(
    emptyHtml,
    /No events yet.*href="\/create-bot".*href="\/ladders".*href="\/guide\/events"/s,
  );
  assert.equal((await app.inject("/ladders?ladder=none")).statusCode, 404);
  assert.equal((await app.inject("/achievements?event=none")).statusCode, 404);
});

test("shows a closed ladder as not live, and keeps its events available", async () => {
  const { app, ladders } = testApi();
  const over = { opensAt: "2026-01-01T00:00:00.000Z", closesAt: "2026-01-02T00:00:00.000Z" };
  ladders.upsert({ ...PUBLIC_LADDER, ...over, id: "cup", name: "Cup" });
  const { body } = await app.inject("/ladder?ladder=cup");
  const [, page = ""] = /<main[^>]*>(.*)<\/main>/s.exec(body) ?? [];
  assert.match(page, /Closed\. These are the final standings/);
  assert.doesNotMatch(page.replaceAll(/<[^>]+>/g, " "), /\bLive\b|As of|Create a bot for it/i);
});

test("shows an event's image only once, next to its ladder", async () => {
  const { LadderBanner } = await importSiteModule<typeof BannerFile>("events/ladder-banner.tsx");
  const image = { url: "/images/one.webp", alt: "One", width: 320, height: 200 };
  const events = [
    sampleEvent({ image }),
    sampleEvent({ id: "other", image: { ...image, url: "/images/other.webp" } }),
  ];
  const { ladders, events: _, ...gate } = await laddersOn(testApi());
  const html = renderHtml(LadderBanner, {
    ladder: ladders[0]!,
    signInInfo: gate,
    events,
    now: gate.now,
  });
  for (const { url } of [image, { url: "/images/other.webp" }])
    assert.equal(html.split(`src="${url}"`).length, 2, url);
});

const laddersOn = async ({ app }: TestApi): Promise<LaddersData> => {
  const html = (await app.inject("/ladders")).body;
  const [, text = ""] = /<script[^>]*id="data"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(text) as LaddersData;
};

describe("ladder and event pages", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  let operator: string;
  before(async () => {
    pages = await openAccountPages();
    operator = await pages.addMember("operator");
    const closes_at = "2999-01-01T00:00:00.000Z";
    const open = { closes_at, description: MARKUP };
    const cup = { ...open, id: "cup", name: `Cup ${MARKUP}`, access: "password" };
    await postAsAdmin("POST", "/api/admin/ladders", { ...cup, password: TEST_PASSWORD });
    await postAsAdmin("POST", "/api/admin/ladders", {
      ...open,
      id: "class",
      name: "Class",
      access: "approval",
    });
    const dusk = { ...open, id: "dusk", name: "Dusk", access: "invite" };
    await postAsAdmin("POST", "/api/admin/ladders", dusk);
    for (const name of ["ada", "eve"]) await pages.addMember(name);
  });
  after(() => pages?.close());

  const postAsAdmin = async (method: "POST", url: string, payload: object) => {
    const apiResponse = await pages.site.api.app.inject({
      method,
      url,
      headers: bearerHeader(operator),
      payload,
    });
    assert.ok(apiResponse.statusCode < 300, apiResponse.body);
    return apiResponse.json<{ code: string }>();
  };

  const card = (page: Page, id: string) => page.locator(`#ladder-${id}`);

  test("T77 keeps an invitation through sign-in without exposing it in a URL", async () => {
    const shownText: string[] = [];
    const { code } = await postAsAdmin("POST", "/api/admin/ladders/cup/invitations", {});
    const checkPage = async (page: Page) => {
      const bodies: (string | null)[] = [];
      page.on("request", (request) => {
        shownText.push(request.url(), request.headers()["referer"] ?? "");
        if (request.url().endsWith("/enrollment")) bodies.push(request.postData());
      });
      await page.goto(`${pages.site.baseUrl}/ladders?ladder=cup#invite=${code}`);
      await page.getByText("You have an invitation").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/ladders?ladder=cup`);
      assert.ok(!(await page.content()).includes(code));
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByText("You'll return to it after signing in.").waitFor();
      await fillSignIn(page, "ada@example.org");
      await clickButton(page, "Join with it");
      await card(page, "cup").getByText("You're a member.").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/ladders?ladder=cup`);
      assert.deepEqual(bodies, [JSON.stringify({ invitation: code })]);
      assert.equal(await page.getByText("You have an invitation").count(), 0);
      assert.equal(await page.evaluate("localStorage.getItem('bout-invitation')"), null);
      await assertPageIsValid(page);
      await page.goto(`${pages.site.baseUrl}/ladders?ladder=dusk#invite=${code}`);
      await clickButton(page, "Join with it");
      await page
        .getByRole("alert")
        .filter({ hasText: "Invitations can't be used here." })
        .waitFor();
    };
    await pages.visit("/ladders", checkPage);
    assert.ok(shownText.length > 10 && shownText.every((url) => !url.includes(code)));
    assert.ok(pages.site.api.log.every((line) => !line.includes(code)));
  });

  test("T86 joins a ladder by password or by request, and leaves it", async () => {
    const checkPage = async (page: Page) => {
      page.on("dialog", () => assert.fail("a name was run"));
      await page.getByRole("link", { name: "Sign in" }).click();
      await fillSignIn(page, "eve@example.org");
      const [cup, group] = [card(page, "cup"), card(page, "class")];
      await cup.getByRole("heading", { name: `Cup ${MARKUP}` }).waitFor();
      await cup.getByLabel("Ladder password").fill("a wrong one");
      await cup.getByRole("button", { name: "Join" }).click();
      await cup.locator(".refused .refusal", { hasText: /./ }).waitFor();
      await assertPageIsValid(page);
      await cup.getByLabel("Ladder password").fill(TEST_PASSWORD);
      await cup.getByRole("button", { name: "Join" }).click();
      await cup.getByText("You're a member.").waitFor();
      await page.goto(`${pages.site.baseUrl}/ladder?ladder=cup`);
      await page.getByText("You're a member.").waitFor();
      await page.getByText("--ladder cup", { exact: true }).waitFor();
      assert.equal(await page.getByText("Join with the password").count(), 0);
      await assertPageIsValid(page);
      await page.getByRole("link", { name: "Create a bot for it" }).click();
      await page.getByText("Signed in as eve").waitFor();
      await page
        .getByText(/--name my-first-bot --ladder cup/)
        .first()
        .waitFor();
      await assertPageIsValid(page);
      await page.goto(`${pages.site.baseUrl}/ladders`);
      await group.getByRole("button", { name: "Request to join" }).click();
      await group.getByText("The operator hasn't responded yet").waitFor();
      await postAsAdmin("POST", "/api/admin/ladders/class/members/eve/revoke", { reason: "Full." });
      await group.getByText("The operator ended your membership.").waitFor();
      assert.equal(await page.locator("#app img, #app b").count(), 0);
      await assertPageIsValid(page);
      await page.goto(`${pages.site.baseUrl}/account#ladders`);
      const own = page.locator("#ladders");
      await own.getByText("The operator ended your membership.").waitFor();
      await own.getByRole("button", { name: "Leave ladder…" }).click();
      await own.getByText("To rejoin, you'll need the password.").waitFor();
      await own.getByRole("button", { name: /^Leave Cup/ }).click();
      await own.getByText("You're a member.").waitFor({ state: "detached" });
      await assertPageIsValid(page);
    };
    await pages.visit("/ladders", checkPage, { ...PHONE_OPTIONS, ...DARK_OPTIONS });
  });

  /** Serves a mocked event with the headers of the real response. */
  const eventOn = async (page: Page, state: { progress: EventProgress }) => {
    const data: AchievementsData = {
      events: [{ ...state.progress.event, ladder_name: "Cup", earnedCounts: { "warm-up": 14 } }],
      requestedId: "finals",
      provider: await providerOn(page),
      contact: null,
      now: Date.parse("2026-01-05T12:00:00.000Z"),
    };
    const head = { title: "Finals", description: "Finals" };
    const address = { path: "/achievements", base: pages.site.baseUrl, provider: data.provider };
    const pageHtml = await renderWholePage({ view: "events/achievements", head, data }, address);
    await page.route(/\/achievements\?event=finals$/, async (route) => {
      const response = await route.fetch({ url: `${pages.site.baseUrl}/achievements` });
      const { "content-encoding": _, "content-length": __, ...headers } = response.headers();
      await route.fulfill({ status: 200, headers, body: pageHtml });
    });
    await page.route(/\/api\/account\/events\/finals\//, (route) => {
      const [request, url] = [route.request(), route.request().url()];
      if (url.endsWith("/reveal")) return route.fulfill({ json: { flag: FLAG } });
      if (request.method() === "POST")
        state.progress = { ...state.progress, request: requestOf(request.postDataJSON()) };
      if (request.method() === "DELETE") state.progress = { ...state.progress, request: null };
      return route.fulfill({ json: state.progress });
    });
  };

  const providerOn = async (page: Page): Promise<AchievementsData["provider"]> =>
    (await page.evaluate(
      "JSON.parse(document.getElementById('data').textContent).provider",
    )) as AchievementsData["provider"];

  type Asked = { bot_id: string; opponent: "kiter" };
  const requestOf = ({ bot_id, opponent }: Asked): EventProgress["request"] => ({
    id: bot_id,
    bot_id,
    bot: "Rex",
    opponent,
    created: "2026-01-05T12:00:00.000Z",
    state: "pending",
    match_id: null,
  });

  test("T74 T86 shows progress and flags, and requests an opponent", async () => {
    const event = sampleEvent({
      name: `Finals ${MARKUP}`,
      description: MARKUP,
      submission_instructions: MARKUP,
      image: { url: "/favicon.svg", alt: MARKUP, width: 320, height: 200 },
    });
    const state = { progress: sampleProgress({ event }) };
    const checkPage = async (page: Page) => {
      page.on("dialog", () => assert.fail("a text was run"));
      await eventOn(page, state);
      await page.goto(`${pages.site.baseUrl}/achievements?event=finals`);
      await page.getByText("Earned by 14").waitFor();
      await page.getByRole("link", { name: "Sign in" }).click();
      await fillSignIn(page, "ada@example.org");
      await headingLocator(page, `Finals ${MARKUP}`).waitFor();
      await page.getByRole("img", { name: "2 of 3 wins" }).waitFor();
      await page.getByText("Reason: Two accounts of one person.").waitFor();
      assert.equal(await page.locator(".award.earned").count(), 1);
      await clickButton(page, "Show the flag");
      await page.getByRole("region", { name: "the flag of Warm-up" }).getByText(FLAG).waitFor();
      assert.ok(!page.url().includes("BOUT"));
      await assertPageIsValid(page);
      await clickButton(page, "Hide the flag");
      assert.ok(!(await page.content()).includes(FLAG));
      await page.getByLabel("House bot").selectOption({ label: "Champion" });
      await clickButton(page, "Request");
      await page.getByText("You've requested Rex against Champion").waitFor();
      await page.getByText("Status: waiting for a wave in which both are free.").waitFor();
      await clickButton(page, "Withdraw request");
      await page.getByRole("button", { name: "Request" }).waitFor();
      assert.equal(await page.locator("#app img:not(.event-picture), #app b").count(), 0);
      assert.equal(await page.locator(".event-picture").getAttribute("alt"), MARKUP);
      await assertPageIsValid(page);
    };
    await pages.visit("/achievements", checkPage, { ...PHONE_OPTIONS, ...DARK_OPTIONS });
  });

  test("shows the result of a requested match, even after the event", async () => {
    const event = sampleEvent({ phase: "closed" });
    const last_request = {
      bot_id: "01900000-0000-7000-8000-000000000001",
      bot: MARKUP,
      opponent: "kiter",
      started: "2026-01-05T11:00:00.000Z",
      match_id: "01900000-0000-7000-8000-000000000010",
      result: "L",
    } as const;
    const state = { progress: sampleProgress({ event, last_request }) };
    const checkPage = async (page: Page) => {
      page.on("dialog", () => assert.fail("a name was run"));
      await eventOn(page, state);
      await page.goto(`${pages.site.baseUrl}/achievements?event=finals`);
      await page.getByRole("link", { name: "Sign in" }).click();
      await fillSignIn(page, "ada@example.org");
      await page.getByText("The event is closed, so you can't request more games.").waitFor();
      await page.getByText(`Your last requested game: ${MARKUP} lost to Kiter`).waitFor();
      const replayLink = page.getByRole("link", { name: "Watch replay" });
      assert.equal(await replayLink.getAttribute("href"), `/match/${last_request.match_id}#result`);
      assert.equal(await page.locator("#app img, #app b").count(), 0);
      await assertPageIsValid(page);
    };
    await pages.visit("/achievements", checkPage, PHONE_OPTIONS);
  });

  test("says why an opponent can't be requested and when requests are possible again", async () => {
    const event = sampleEvent({ unavailable_opponents: ["champion"], ready: false });
    const next = "2026-01-05T12:03:00.000Z";
    const state = { progress: sampleProgress({ event, next_request_at: next }) };
    state.progress.achievements[0]!.flag_available = false;
    const checkPage = async (page: Page) => {
      await eventOn(page, state);
      await page.goto(`${pages.site.baseUrl}/achievements?event=finals`);
      await page.getByRole("link", { name: "Sign in" }).click();
      await fillSignIn(page, "ada@example.org");
      await page.getByText("Champion: not available").waitFor();
      await page.getByText(/You can make another request in 2 min \d+ s/).waitFor();
      await page.getByText("The flag isn't available right now").waitFor();
      assert.equal(await page.getByLabel("House bot").getByText("Champion").count(), 0);
      await assertPageIsValid(page);
      const request = { ...requestOf({ bot_id: "rex", opponent: "kiter" }), opponent: "champion" };
      state.progress = { ...state.progress, request } as EventProgress;
      await page
        .getByText("Status: waiting until Champion is available again, or the event")
        .waitFor();
      await assertPageIsValid(page);
      state.progress = { ...state.progress, request: null, next_request_at: event.closes_at };
      await page.getByText("The event closes before you could make another request").waitFor();
      assert.equal(await page.getByLabel("House bot").count(), 0);
      state.progress = { ...state.progress, bots: [], next_request_at: null, request: null };
      await page.getByText("None of your bots is waiting or playing on this ladder").waitFor();
      state.progress = { ...state.progress, membership: null };
      await page.getByRole("link", { name: "Join the ladder" }).waitFor();
      assert.equal(await page.getByText("Request an opponent").count(), 0);
    };
    await pages.visit("/achievements", checkPage);
  });
});
