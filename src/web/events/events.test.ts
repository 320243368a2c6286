import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { addPerson, ask } from "#testing/fixtures/account-api.ts";
import { eventApi, runHouse, SPRING } from "#testing/fixtures/event-api.ts";
import type { EventApi } from "#testing/fixtures/event-api.ts";
import { hour } from "#testing/fixtures/ladder-api.ts";
import { loseAnswer } from "#testing/fixtures/lose-answer.ts";

describe("events", () => {
  it("are listed once they are enabled, and before that where they are named", async () => {
    const world = await eventApi();
    const list = (query = "") => ask(world.api, ["GET", `/api/events${query}`]);
    await world.begin();
    assert.deepEqual((await list()).body, []);
    const [named] = (await list("?event=spring")).body as unknown as Record<string, unknown>[];
    assert.deepEqual([named?.id, named?.enabled, named?.ready], ["spring", false, false]);
    assert.equal((await list("?event=lost")).told, "404");
    await world.enable();
    const [event] = (await list()).body as unknown as Record<string, unknown>[];
    assert.deepEqual([event?.phase, event?.ready, event?.revision], ["open", true, 1]);
    assert.deepEqual(event?.unavailable_opponents, []);
    const { body } = await ask(world.api, ["GET", "/api/ladders"]);
    assert.deepEqual((body as never)[0]["events"], [{ id: "spring", name: "Spring" }]);
  });

  it("are not listed on a ladder that is hidden, but where they are named", async () => {
    const world = await eventApi();
    await world.make({ visible: false });
    await world.begin({ ladder_id: "cup" });
    await world.enable();
    const list = async (query = "") => {
      const { body } = await ask(world.api, ["GET", `/api/events${query}`]);
      return (body as unknown as object[]).length;
    };
    assert.deepEqual([await list(), await list("?event=spring")], [0, 1]);
  });

  const REFUSED: [name: string, change: object, told: string][] = [
    ["an unknown ladder", { ladder_id: "lost" }, "404"],
    ["an unknown ladder and a day that is none", { ladder_id: "lost", opens_at: "soon" }, "400"],
    ["an id with capitals", { id: "Spring" }, "400"],
    ["four achievements", { conditions: SPRING.conditions.slice(1) }, "400"],
    ["an unknown field", { flag: "text" }, "400"],
    ["a name of blanks", { name: "  " }, "400"],
    ["a day that is none", { opens_at: "2026-02-31T00:00:00Z" }, "400"],
    ["an instant without an offset", { opens_at: "2026-01-05T00:00:00" }, "400"],
    ["a window backwards", { closes_at: hour(-1) }, "400 invalid_window"],
    ["an unknown time zone", { timezone: "Mars/Base" }, "400"],
    ["an address without TLS", { submission_url: "http://example.org" }, "400"],
    ["an address that runs", { submission_url: "javascript:alert(1)" }, "400"],
    ["an address with a user", { submission_url: "https://me@example.org/" }, "400"],
    ["an address with a password", { submission_url: "HTTPS://:pw@example.org/" }, "400"],
    ["an address with a space", { submission_url: " https://example.org/" }, "400"],
    ["an address of two lines", { submission_url: "https://example.org/\na" }, "400"],
    ["an address without a host", { submission_url: "https://" }, "400"],
    [
      "an address too long once encoded",
      { submission_url: `https://x.io/${"ß".repeat(500)}` },
      "400",
    ],
    ["a label that is none", { approved: { kiter: "a/b" } }, "400"],
    ["an unknown house bot", { approved: { nobody: "v1" } }, "400"],
    [
      "two achievements of one id",
      { conditions: SPRING.conditions.map((one) => ({ ...one, id: "same" })) },
      "400",
    ],
  ];
  for (const [name, change, told] of REFUSED)
    it(`are not made with ${name}`, async () => {
      const world = await eventApi();
      const made = await world.manage("POST", "", { ...SPRING, ...change });
      assert.equal(made.told, told, JSON.stringify(made.body));
      assert.deepEqual(await world.api.store.events.list(), []);
    });

  it("are made once, and never with flags in the variables of another one", async () => {
    const world = await eventApi();
    const twin = (id: string, achievement: string) => ({
      id,
      conditions: SPRING.conditions.map((one, at) =>
        at === 0 ? { ...one, id: achievement } : one,
      ),
    });
    await world.begin(twin("aa--b", "xx"));
    assert.equal(
      (await world.manage("POST", "", { ...SPRING, id: "aa--b" })).told,
      "409 event_exists",
    );
    const wrong = { id: "aa--b", timezone: "Mars/Base" };
    assert.equal((await world.manage("POST", "", { ...SPRING, ...wrong })).told, "400");
    assert.equal((await world.manage("PUT", "/lost", { timezone: "Mars/Base" })).told, "400");
    const label = { approved: { kiter: "a/b" } };
    assert.equal((await world.manage("PUT", "/lost/opponents", label)).told, "400");
    const shared = await world.manage("POST", "", { ...SPRING, ...twin("aa", "b--xx") });
    assert.equal(shared.told, "400");
    assert.match(String(shared.body.error), /BOUT_FLAG_AA__B__XX/);
  });

  it("are enabled once nothing is missing, which is told", async () => {
    const world = await eventApi();
    await world.begin({ approved: { kiter: "v9" } });
    runHouse(world, world.house);
    const put = await world.manage("PUT", "/spring/settings", { enabled: true });
    assert.equal(put.told, "409 event_not_ready");
    assert.match(
      String(put.body.error),
      /kiter runs as v1, and v9 is approved; no version of brawler/,
    );
    assert.match(String(put.body.error), /the flag of by-clean is missing/);
    const approved = { kiter: "v1", brawler: "v1", "ts-starter": "v1", champion: "v1" };
    await world.manage("PUT", "/spring/opponents", { approved });
    await world.manage("PUT", "/spring", { flag_mode: "testing" });
    for (const { id } of SPRING.conditions) world.api.flags.set(`spring ${id}`, "TEST-1");
    const done = await world.manage("PUT", "/spring/settings", { enabled: true });
    assert.deepEqual([done.told, done.body.enabled, done.body.revision], ["200", true, 3]);
    const kinds = (await world.api.store.audit.list({ limit: 4 })).map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), [
      "event.changed",
      "event.changed",
      "event.created",
      "event.enabled",
    ]);
  });

  it("once enabled keep what they need: their flags, and maps enough on their ladder", async () => {
    const world = await eventApi();
    await world.begin({ flag_mode: "testing", opens_at: hour(1) });
    await world.enable();
    world.api.flags.delete("spring by-clean");
    const few = await world.operate("PUT", "/public", { maps: ["halls"] });
    assert.equal(few.told, "400");
    assert.match(String(few.body.error), /'spring' has an achievement that needs more maps/);
    assert.equal((await world.operate("PUT", "/public", { maps: ["halls", "keep"] })).told, "200");
    const put = (change: object) => world.manage("PUT", "/spring", change);
    const refused = await put({ flag_mode: "official" });
    assert.equal(refused.told, "409 event_not_ready");
    assert.match(String(refused.body.error), /: the flag of by-clean is missing\./);
    assert.equal((await put({ flag_mode: "testing", name: "Other" })).told, "200");
    world.api.flags.set("spring by-clean", "flag of by-clean");
    assert.equal((await put({ flag_mode: "official" })).told, "200");
    const conditions = SPRING.conditions.map((one) => ({ ...one, id: `${one.id}-two` }));
    assert.equal((await put({ conditions })).told, "409 event_not_ready");
  });

  it("store the submission URL in normalized form", async () => {
    const world = await eventApi();
    const made = await world.begin({ submission_url: "HTTPS://X.io" });
    assert.equal(made.submission_url, "https://x.io/");
    const submission = { submission_url: "https://ex.ämple/ß?q=1", submission_instructions: "" };
    const { body } = await world.manage("PUT", "/spring/submission", submission);
    assert.equal(body["submission_url"], "https://ex.xn--mple-koa/%C3%9F?q=1");
    const shown = await ask(world.api, ["GET", "/api/events?event=spring"]);
    assert.equal((shown.body as never)[0]["submission_url"], "https://ex.xn--mple-koa/%C3%9F?q=1");
    for (const url of ["https://me@x.io/", "https:///", "ftp://x.io/", "https://x.io/ a"]) {
      const wrong = { ...submission, submission_url: url };
      const refused = await world.manage("PUT", "/spring/submission", wrong);
      assert.match(String(refused.body["error"]), /^The field 'submission_url' of the body must /);
      assert.equal(refused.told, "400", url);
    }
  });

  it("keep their conditions and their opening once they are open", async () => {
    const world = await eventApi();
    await world.begin({ opens_at: hour(-1) });
    const conditions = SPRING.conditions.map((one) => ({ ...one, name: "Other" }));
    assert.equal((await world.manage("PUT", "/spring", { conditions })).told, "409 window_started");
    assert.equal((await world.manage("PUT", "/spring", { name: "Other" })).told, "200");
    const put = async (opens_at: string, closes_at: string) =>
      (await world.manage("PUT", "/spring/schedule", { opens_at, closes_at })).told;
    assert.equal(await put(hour(1), hour(48)), "409 window_started");
    assert.equal(await put(hour(-1), hour(-0.5)), "409 window_past");
    assert.equal(await put(hour(-1), hour(-2)), "400 invalid_window");
    assert.equal(await put(hour(-1), hour(9)), "200");
    await world.begin({ id: "past", opens_at: hour(-3), closes_at: hour(-2) });
    const past = { opens_at: hour(-3), closes_at: hour(9) };
    const closed = await world.manage("PUT", "/past/schedule", past);
    assert.equal(closed.told, "409 window_closed");
  });

  it("take texts as texts, and never ask the address where things are handed in", async (t) => {
    const world = await eventApi();
    const asked = t.mock.method(globalThis, "fetch", () => Promise.reject(new Error("asked")));
    const text = "<script>alert(1)</script>";
    await world.begin({ name: text, description: text });
    for (const address of ["https://127.0.0.1/in", "https://169.254.169.254/latest"]) {
      const submission = { submission_url: address, submission_instructions: text };
      assert.equal((await world.manage("PUT", "/spring/submission", submission)).told, "200");
    }
    const { body, headers } = await ask(world.api, ["GET", "/api/events?event=spring"]);
    assert.match(String(headers["content-type"]), /^application\/json/);
    assert.equal((body as never)[0]["description"], text);
    assert.equal(asked.mock.callCount(), 0);
  });
});

describe("pictures of events", () => {
  const png = Buffer.from("89504e470d0a1a0a", "hex");
  async function upload(world: EventApi, headers: Record<string, string> = {}, payload = png) {
    const token = world.api.identity.signIn("grace");
    const answer = await world.api.app.inject({
      method: "PUT",
      url: "/api/admin/events/spring/image",
      headers: { authorization: `Bearer ${token}`, "content-type": "image/png", ...headers },
      payload,
    });
    return { status: answer.statusCode, body: answer.json<Record<string, never>>() };
  }

  it("are served for good under their hash, and go when nobody names them", async () => {
    const world = await eventApi();
    await world.begin();
    const put = await upload(world);
    const image = put.body["image"] as unknown as { url: string; alt: string };
    assert.deepEqual([put.status, image.alt], [200, "Spring"]);
    const served = await world.api.app.inject({ url: image.url });
    assert.equal(served.statusCode, 200);
    assert.equal(served.headers["content-type"], "image/webp");
    assert.match(String(served.headers["cache-control"]), /immutable/);
    const removed = await world.manage("DELETE", "/spring/image");
    assert.equal(removed.body.image, null);
    await new Promise(setImmediate);
    assert.equal((await world.api.app.inject({ url: image.url })).statusCode, 404);
  });

  const REFUSED: [name: string, headers: Record<string, string>, bytes: number, status: number][] =
    [
      ["with a broken text", { "x-service-image-alt": "%E0%A4%A" }, 8, 400],
      ["with an empty text", { "x-service-image-alt": "%20" }, 8, 400],
      ["with a long text", { "x-service-image-alt": "a".repeat(301) }, 8, 400],
      ["of another type", { "content-type": "image/svg+xml" }, 8, 415],
      ["that is JSON", { "content-type": "application/json" }, 0, 415],
      ["that is too large", {}, 5 * 1024 * 1024 + 1, 413],
    ];
  for (const [name, headers, bytes, status] of REFUSED)
    it(`are refused ${name}`, async () => {
      const world = await eventApi();
      await world.begin();
      const put = await upload(world, headers, Buffer.alloc(bytes, png));
      assert.equal(put.status, status, JSON.stringify(put.body));
      assert.equal(world.api.images.kept.size, 0);
    });

  for (const [failure, status] of [
    ["too_large", 413],
    ["unsupported", 415],
    ["undecodable", 400],
    ["unavailable", 503],
  ] as const)
    it(`are refused when they are ${failure}`, async () => {
      const world = await eventApi();
      await world.begin();
      world.api.images.failure = failure;
      assert.equal((await upload(world)).status, status);
    });

  it("have the text that was sent with them", async () => {
    const world = await eventApi();
    await world.begin();
    const put = await upload(world, {
      "x-service-image-alt": encodeURIComponent("Ein Ring für zwei"),
    });
    assert.equal((put.body["image"] as unknown as { alt: string }).alt, "Ein Ring für zwei");
    assert.equal((await addPerson(world.api, "mallory")).account.handle, "mallory");
  });
});

describe("an event that is written without an answer", () => {
  it("is in memory as it is stored, once the store is looked at again", async () => {
    const world = await eventApi();
    const { api, manage } = world;
    const { events } = api.store;
    Object.assign(events, {
      add: loseAnswer(events.add),
      change: loseAnswer(events.change),
      delete: loseAnswer(events.delete),
    });
    const approved = { kiter: "v2" };
    const steps = [
      [() => manage("POST", "", SPRING), SPRING.approved],
      [() => manage("PUT", "/spring/opponents", { approved }), approved],
      [() => manage("DELETE", "/spring"), undefined],
    ] as const;
    for (const [act, known] of steps) {
      assert.match((await act()).told, /^503/);
      await api.arena.settleDoubts();
      assert.deepEqual(api.events.byId("spring")?.approved, known);
    }
  });
});
