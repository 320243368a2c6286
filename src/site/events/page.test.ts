// Ladders to enter and achievements to earn, in a real browser.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import { PUBLIC } from "#core/ladder/ladder.ts";
import type { EventProgress } from "#core/resources/event.ts";
import {
  DARK,
  heading,
  isSound,
  openAccountPages,
  PHONE,
  press,
  signIn,
} from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { htmlOf, siteModule } from "#testing/fixtures/components.ts";
import { PASSWORD } from "#testing/fixtures/identity-world.ts";
import { wholePage } from "#testing/fixtures/project.ts";
import { sampleEvent, sampleProgress } from "#testing/fixtures/sample-event.ts";
import { bearer, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

import type * as BannerFile from "./banner.tsx";
import type { AchievementsData, LaddersData } from "./data.ts";

const MARKUP = `<img src=x onerror="alert(1)"><b>x</b>`;
const FLAG = "BOUT{the-flag}";

test("a server without accounts says so, and its ladders can be read", async () => {
  const { app, ladders } = testApi();
  ladders.put({ ...PUBLIC, id: "cup", name: "Cup", opensAt: "2027-01-01T00:00:00.000Z" });
  const text = (await app.inject("/ladders")).body.replaceAll(/<[^>]+>/g, " ");
  assert.match(
    text,
    /This server has no accounts\..*Open now.*Public.*To come.*Cup.*Opens in 36\d/s,
  );
  const none = (await app.inject("/achievements")).body;
  assert.match(
    none,
    /No events yet.*href="\/create-bot".*href="\/ladders".*href="\/guide\/events"/s,
  );
  assert.equal((await app.inject("/ladders?ladder=none")).statusCode, 404);
  assert.equal((await app.inject("/achievements?event=none")).statusCode, 404);
});

test("a ladder that is over is not live, and its events stay to be found", async () => {
  const { app, ladders } = testApi();
  const over = { opensAt: "2026-01-01T00:00:00.000Z", closesAt: "2026-01-02T00:00:00.000Z" };
  ladders.put({ ...PUBLIC, ...over, id: "cup", name: "Cup" });
  const { body } = await app.inject("/ladder?ladder=cup");
  const [, page = ""] = /<main[^>]*>(.*)<\/main>/s.exec(body) ?? [];
  assert.match(page, /It is over, and this is how it ended/);
  assert.doesNotMatch(page.replaceAll(/<[^>]+>/g, " "), /\bLive\b|As of|Create a bot for it/i);
});

test("the picture of an event stands once beside its ladder", async () => {
  const { Banner } = await siteModule<typeof BannerFile>("events/banner.tsx");
  const image = { url: "/images/one.webp", alt: "One", width: 320, height: 200 };
  const events = [
    sampleEvent({ image }),
    sampleEvent({ id: "other", image: { ...image, url: "/images/other.webp" } }),
  ];
  const { ladders, events: _, ...gate } = await laddersOn(testApi());
  const html = htmlOf(Banner, { ladder: ladders[0]!, gate, events, now: gate.now });
  for (const { url } of [image, { url: "/images/other.webp" }])
    assert.equal(html.split(`src="${url}"`).length, 2, url);
});

const laddersOn = async ({ app }: TestApi): Promise<LaddersData> => {
  const html = (await app.inject("/ladders")).body;
  const [, text = ""] = /<script[^>]*id="data"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(text) as LaddersData;
};

describe("the pages of ladders and events", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  let operator: string;
  before(async () => {
    pages = await openAccountPages();
    operator = await pages.member("operator");
    const closes_at = "2999-01-01T00:00:00.000Z";
    const open = { closes_at, description: MARKUP };
    const cup = { ...open, id: "cup", name: `Cup ${MARKUP}`, access: "password" };
    await ask("POST", "/api/admin/ladders", { ...cup, password: PASSWORD });
    await ask("POST", "/api/admin/ladders", {
      ...open,
      id: "class",
      name: "Class",
      access: "approval",
    });
    const dusk = { ...open, id: "dusk", name: "Dusk", access: "invite" };
    await ask("POST", "/api/admin/ladders", dusk);
    for (const name of ["ada", "eve"]) await pages.member(name);
  });
  after(() => pages?.close());

  const ask = async (method: "POST", url: string, payload: object) => {
    const answer = await pages.site.api.app.inject({
      method,
      url,
      headers: bearer(operator),
      payload,
    });
    assert.ok(answer.statusCode < 300, answer.body);
    return answer.json<{ code: string }>();
  };

  const card = (page: Page, id: string) => page.locator(`#ladder-${id}`);

  test("T77 an invitation survives signing in, and is in no address", async () => {
    const seen: string[] = [];
    const { code } = await ask("POST", "/api/admin/ladders/cup/invitations", {});
    const look = async (page: Page) => {
      const bodies: (string | null)[] = [];
      page.on("request", (request) => {
        seen.push(request.url(), request.headers()["referer"] ?? "");
        if (request.url().endsWith("/enrollment")) bodies.push(request.postData());
      });
      await page.goto(`${pages.site.baseUrl}/ladders?ladder=cup#invite=${code}`);
      await page.getByText("You hold an invitation").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/ladders?ladder=cup`);
      assert.ok(!(await page.content()).includes(code));
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByText("After this you are back at it.").waitFor();
      await signIn(page, "ada@example.org");
      await press(page, "Enter with it");
      await card(page, "cup").getByText("You are in.").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/ladders?ladder=cup`);
      assert.deepEqual(bodies, [JSON.stringify({ invitation: code })]);
      assert.equal(await page.getByText("You hold an invitation").count(), 0);
      assert.equal(await page.evaluate("localStorage.getItem('bout-invitation')"), null);
      await isSound(page);
      await page.goto(`${pages.site.baseUrl}/ladders?ladder=dusk#invite=${code}`);
      await press(page, "Enter with it");
      await page.getByRole("alert").filter({ hasText: "The invitation opens nothing." }).waitFor();
    };
    await pages.visit("/ladders", look);
    assert.ok(seen.length > 10 && seen.every((url) => !url.includes(code)));
    assert.ok(pages.site.api.log.every((line) => !line.includes(code)));
  });

  test("T86 a ladder is entered by password or by asking, and left", async () => {
    const look = async (page: Page) => {
      page.on("dialog", () => assert.fail("a name was run"));
      await page.getByRole("link", { name: "Sign in" }).click();
      await signIn(page, "eve@example.org");
      const [cup, group] = [card(page, "cup"), card(page, "class")];
      await cup.getByRole("heading", { name: `Cup ${MARKUP}` }).waitFor();
      await cup.getByLabel("Password of the ladder").fill("a wrong one");
      await cup.getByRole("button", { name: "Enter" }).click();
      await cup.locator(".refused .refusal", { hasText: /./ }).waitFor();
      await isSound(page);
      await cup.getByLabel("Password of the ladder").fill(PASSWORD);
      await cup.getByRole("button", { name: "Enter" }).click();
      await cup.getByText("You are in.").waitFor();
      await page.goto(`${pages.site.baseUrl}/ladder?ladder=cup`);
      await page.getByText("You are in.").waitFor();
      await page.getByText("--ladder cup", { exact: true }).waitFor();
      assert.equal(await page.getByText("Enter with the password").count(), 0);
      await isSound(page);
      await page.getByRole("link", { name: "Create a bot for it" }).click();
      await page.getByText("Signed in as eve").waitFor();
      await page
        .getByText(/--name my-first-bot --ladder cup/)
        .first()
        .waitFor();
      await isSound(page);
      await page.goto(`${pages.site.baseUrl}/ladders`);
      await group.getByRole("button", { name: "Ask to enter" }).click();
      await group.getByText("The operator has not answered yet").waitFor();
      await ask("POST", "/api/admin/ladders/class/members/eve/revoke", { reason: "Full." });
      await group.getByText("The operator has ended your membership.").waitFor();
      assert.equal(await page.locator("#app img, #app b").count(), 0);
      await isSound(page);
      await page.goto(`${pages.site.baseUrl}/account#ladders`);
      const own = page.locator("#ladders");
      await own.getByText("The operator has ended your membership.").waitFor();
      await own.getByRole("button", { name: "Leave the ladder…" }).click();
      await own.getByText("To come back you need the password.").waitFor();
      await own.getByRole("button", { name: /^Leave Cup/ }).click();
      await own.getByText("You are in.").waitFor({ state: "detached" });
      await isSound(page);
    };
    await pages.visit("/ladders", look, { ...PHONE, ...DARK });
  });

  /** Shows an event as if the server had it, with the headers of the server's own page. */
  const eventOn = async (page: Page, state: { progress: EventProgress }) => {
    const data: AchievementsData = {
      events: [{ ...state.progress.event, ladder_name: "Cup", earned: { "warm-up": 14 } }],
      sought: "finals",
      provider: await providerOn(page),
      contact: null,
      now: Date.parse("2026-01-05T12:00:00.000Z"),
    };
    const head = { title: "Finals", description: "Finals" };
    const place = { path: "/achievements", base: pages.site.baseUrl, provider: data.provider };
    const whole = await wholePage({ view: "events/achievements", head, data }, place);
    await page.route(/\/achievements\?event=finals$/, async (route) => {
      const response = await route.fetch({ url: `${pages.site.baseUrl}/achievements` });
      const { "content-encoding": _, "content-length": __, ...headers } = response.headers();
      await route.fulfill({ status: 200, headers, body: whole });
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

  test("T74 T86 shows progress, a flag in place, and asks for an opponent", async () => {
    const event = sampleEvent({
      name: `Finals ${MARKUP}`,
      description: MARKUP,
      submission_instructions: MARKUP,
      image: { url: "/favicon.svg", alt: MARKUP, width: 320, height: 200 },
    });
    const state = { progress: sampleProgress({ event }) };
    const look = async (page: Page) => {
      page.on("dialog", () => assert.fail("a text was run"));
      await eventOn(page, state);
      await page.goto(`${pages.site.baseUrl}/achievements?event=finals`);
      await page.getByText("Earned by 14").waitFor();
      await page.getByRole("link", { name: "Sign in" }).click();
      await signIn(page, "ada@example.org");
      await heading(page, `Finals ${MARKUP}`).waitFor();
      await page.getByRole("img", { name: "2 of 3 wins" }).waitFor();
      await page.getByText("The reason: Two accounts of one person.").waitFor();
      assert.equal(await page.locator(".award.earned").count(), 1);
      await press(page, "Show the flag");
      await page.getByRole("region", { name: "the flag of Warm-up" }).getByText(FLAG).waitFor();
      assert.ok(!page.url().includes("BOUT"));
      await isSound(page);
      await press(page, "Hide the flag");
      assert.ok(!(await page.content()).includes(FLAG));
      await page.getByLabel("Against").selectOption({ label: "Champion" });
      await press(page, "Ask for it");
      await page.getByText("You have asked for Rex against Champion").waitFor();
      await page.getByText("It waits for a wave in which both are free.").waitFor();
      await press(page, "Ask no more");
      await page.getByRole("button", { name: "Ask for it" }).waitFor();
      assert.equal(await page.locator("#app img:not(.event-picture), #app b").count(), 0);
      assert.equal(await page.locator(".event-picture").getAttribute("alt"), MARKUP);
      await isSound(page);
    };
    await pages.visit("/achievements", look, { ...PHONE, ...DARK });
  });

  test("says how the game ended that was asked for, also when the event is over", async () => {
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
    const look = async (page: Page) => {
      page.on("dialog", () => assert.fail("a name was run"));
      await eventOn(page, state);
      await page.goto(`${pages.site.baseUrl}/achievements?event=finals`);
      await page.getByRole("link", { name: "Sign in" }).click();
      await signIn(page, "ada@example.org");
      await page.getByText("The event is closed: no more games are asked for.").waitFor();
      await page.getByText(`The last one that you asked for: ${MARKUP} lost to Kiter`).waitFor();
      const again = page.getByRole("link", { name: "See it again" });
      assert.equal(await again.getAttribute("href"), `/match/${last_request.match_id}`);
      assert.equal(await page.locator("#app img, #app b").count(), 0);
      await isSound(page);
    };
    await pages.visit("/achievements", look, PHONE);
  });

  test("says what is missing for an opponent, and when one can be asked for again", async () => {
    const event = sampleEvent({ unavailable_opponents: ["champion"], ready: false });
    const next = "2026-01-05T12:03:00.000Z";
    const state = { progress: sampleProgress({ event, next_request_at: next }) };
    state.progress.achievements[0]!.flag_available = false;
    const look = async (page: Page) => {
      await eventOn(page, state);
      await page.goto(`${pages.site.baseUrl}/achievements?event=finals`);
      await page.getByRole("link", { name: "Sign in" }).click();
      await signIn(page, "ada@example.org");
      await page.getByText("Champion: not to be had at present").waitFor();
      await page.getByText(/You can ask again in 2 min \d+ s/).waitFor();
      await page.getByText("Its flag is not to be had at present").waitFor();
      assert.equal(await page.getByLabel("Against").getByText("Champion").count(), 0);
      await isSound(page);
      const request = { ...requestOf({ bot_id: "rex", opponent: "kiter" }), opponent: "champion" };
      state.progress = { ...state.progress, request } as EventProgress;
      await page.getByText("It waits until Champion is to be had again, or the event").waitFor();
      await isSound(page);
      state.progress = { ...state.progress, request: null, next_request_at: event.closes_at };
      await page.getByText("The event closes before you could ask again").waitFor();
      assert.equal(await page.getByLabel("Against").count(), 0);
      state.progress = { ...state.progress, bots: [], next_request_at: null, request: null };
      await page.getByText("None of your bots waits or plays on this ladder").waitFor();
      state.progress = { ...state.progress, membership: null };
      await page.getByRole("link", { name: "Enter it" }).waitFor();
      assert.equal(await page.getByText("Ask for an opponent").count(), 0);
    };
    await pages.visit("/achievements", look);
  });
});
