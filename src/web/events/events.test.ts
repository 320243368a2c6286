import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { signUpAccount, sendRequest } from "#testing/fixtures/account-api.ts";
import { eventApi, queueHouseBots, SPRING_EVENT } from "#testing/fixtures/event-api.ts";
import type { EventApi } from "#testing/fixtures/event-api.ts";
import { hoursAfterStart } from "#testing/fixtures/ladder-api.ts";
import { loseFirstResponse } from "#testing/fixtures/lose-first-response.ts";

describe("events", () => {
  it("are listed once enabled, and earlier if a request names them", async () => {
    const world = await eventApi();
    const list = (query = "") => sendRequest(world.api, ["GET", `/api/events${query}`]);
    await world.createEvent();
    assert.deepEqual((await list()).body, []);
    const [listedEvent] = (await list("?event=spring")).body as unknown as Record<
      string,
      unknown
    >[];
    assert.deepEqual(
      [listedEvent?.id, listedEvent?.enabled, listedEvent?.ready],
      ["spring", false, false],
    );
    assert.equal((await list("?event=lost")).told, "404");
    await world.enableEvent();
    const [event] = (await list()).body as unknown as Record<string, unknown>[];
    assert.deepEqual([event?.phase, event?.ready, event?.revision], ["open", true, 1]);
    assert.deepEqual(event?.unavailable_opponents, []);
    const { body } = await sendRequest(world.api, ["GET", "/api/ladders"]);
    assert.deepEqual((body as never)[0]["events"], [{ id: "spring", name: "Spring" }]);
  });

  it("are listed on a hidden ladder only if a request names them", async () => {
    const world = await eventApi();
    await world.createLadder({ visible: false });
    await world.createEvent({ ladder_id: "cup" });
    await world.enableEvent();
    const list = async (query = "") => {
      const { body } = await sendRequest(world.api, ["GET", `/api/events${query}`]);
      return (body as unknown as object[]).length;
    };
    assert.deepEqual([await list(), await list("?event=spring")], [0, 1]);
  });

  const REFUSED: [name: string, change: object, told: string][] = [
    ["an unknown ladder", { ladder_id: "lost" }, "404"],
    ["an unknown ladder and an invalid date", { ladder_id: "lost", opens_at: "soon" }, "400"],
    ["an id with capitals", { id: "Spring" }, "400"],
    ["four achievements", { conditions: SPRING_EVENT.conditions.slice(1) }, "400"],
    ["an unknown field", { flag: "text" }, "400"],
    ["a blank name", { name: "  " }, "400"],
    ["an invalid date", { opens_at: "2026-02-31T00:00:00Z" }, "400"],
    ["an instant without an offset", { opens_at: "2026-01-05T00:00:00" }, "400"],
    ["a reversed window", { closes_at: hoursAfterStart(-1) }, "400 invalid_window"],
    ["an unknown time zone", { timezone: "Mars/Base" }, "400"],
    ["a URL without TLS", { submission_url: "http://example.org" }, "400"],
    ["a javascript: URL", { submission_url: "javascript:alert(1)" }, "400"],
    ["a URL with a user name", { submission_url: "https://me@example.org/" }, "400"],
    ["a URL with a password", { submission_url: "HTTPS://:pw@example.org/" }, "400"],
    ["a URL with a space", { submission_url: " https://example.org/" }, "400"],
    ["a URL with a line break", { submission_url: "https://example.org/\na" }, "400"],
    ["a URL without a host", { submission_url: "https://" }, "400"],
    [
      "a URL that is too long once encoded",
      { submission_url: `https://x.io/${"ß".repeat(500)}` },
      "400",
    ],
    ["an invalid version label", { approved: { kiter: "a/b" } }, "400"],
    ["an unknown house bot", { approved: { nobody: "v1" } }, "400"],
    [
      "two achievements with the same id",
      { conditions: SPRING_EVENT.conditions.map((item) => ({ ...item, id: "same" })) },
      "400",
    ],
  ];
  for (const [name, change, outcome] of REFUSED)
    it(`are rejected with ${name}`, async () => {
      const world = await eventApi();
      const createResponse = await world.manageEvents("POST", "", { ...SPRING_EVENT, ...change });
      assert.equal(createResponse.told, outcome, JSON.stringify(createResponse.body));
      assert.deepEqual(await world.api.store.events.list(), []);
    });

  it("are created once, and can't share flag variables with another event", async () => {
    const world = await eventApi();
    const twinResponse = (id: string, achievement: string) => ({
      id,
      conditions: SPRING_EVENT.conditions.map((item, at) =>
        at === 0 ? { ...item, id: achievement } : item,
      ),
    });
    await world.createEvent(twinResponse("aa--b", "xx"));
    assert.equal(
      (await world.manageEvents("POST", "", { ...SPRING_EVENT, id: "aa--b" })).told,
      "409 event_exists",
    );
    const invalidBody = { id: "aa--b", timezone: "Mars/Base" };
    assert.equal(
      (await world.manageEvents("POST", "", { ...SPRING_EVENT, ...invalidBody })).told,
      "400",
    );
    assert.equal((await world.manageEvents("PUT", "/lost", { timezone: "Mars/Base" })).told, "400");
    const label = { approved: { kiter: "a/b" } };
    assert.equal((await world.manageEvents("PUT", "/lost/opponents", label)).told, "400");
    const shared = await world.manageEvents("POST", "", {
      ...SPRING_EVENT,
      ...twinResponse("aa", "b--xx"),
    });
    assert.equal(shared.told, "400");
    assert.match(String(shared.body.error), /BOUT_FLAG_AA__B__XX/);
  });

  it("are enabled only when complete, and report what is missing", async () => {
    const world = await eventApi();
    await world.createEvent({ approved: { kiter: "v9" } });
    queueHouseBots(world, world.house);
    const putDefinition = await world.manageEvents("PUT", "/spring/settings", { enabled: true });
    assert.equal(putDefinition.told, "409 event_not_ready");
    assert.match(
      String(putDefinition.body.error),
      /kiter runs version v1, but v9 is approved; no version of brawler/,
    );
    assert.match(String(putDefinition.body.error), /the flag of by-clean is missing/);
    const approved = { kiter: "v1", brawler: "v1", "ts-starter": "v1", champion: "v1" };
    await world.manageEvents("PUT", "/spring/opponents", { approved });
    await world.manageEvents("PUT", "/spring", { flag_mode: "testing" });
    for (const { id } of SPRING_EVENT.conditions) world.api.flags.set(`spring ${id}`, "TEST-1");
    const deleteResponse = await world.manageEvents("PUT", "/spring/settings", { enabled: true });
    assert.deepEqual(
      [deleteResponse.told, deleteResponse.body.enabled, deleteResponse.body.revision],
      ["200", true, 3],
    );
    const kinds = (await world.api.store.audit.list({ limit: 4 })).map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), [
      "event.changed",
      "event.changed",
      "event.created",
      "event.enabled",
    ]);
  });

  it("still require flags and enough maps while enabled", async () => {
    const world = await eventApi();
    await world.createEvent({ flag_mode: "testing", opens_at: hoursAfterStart(1) });
    await world.enableEvent();
    world.api.flags.delete("spring by-clean");
    const mapsResponse = await world.manageLadders("PUT", "/public", { maps: ["halls"] });
    assert.equal(mapsResponse.told, "400");
    assert.match(
      String(mapsResponse.body.error),
      /'spring' has an achievement that needs more maps/,
    );
    assert.equal(
      (await world.manageLadders("PUT", "/public", { maps: ["halls", "keep"] })).told,
      "200",
    );
    const putDefinition = (change: object) => world.manageEvents("PUT", "/spring", change);
    const flagResponse = await putDefinition({ flag_mode: "official" });
    assert.equal(flagResponse.told, "409 event_not_ready");
    assert.match(String(flagResponse.body.error), /: the flag of by-clean is missing\./);
    assert.equal((await putDefinition({ flag_mode: "testing", name: "Other" })).told, "200");
    world.api.flags.set("spring by-clean", "flag of by-clean");
    assert.equal((await putDefinition({ flag_mode: "official" })).told, "200");
    const conditions = SPRING_EVENT.conditions.map((item) => ({ ...item, id: `${item.id}-two` }));
    assert.equal((await putDefinition({ conditions })).told, "409 event_not_ready");
  });

  it("store the submission URL in normalized form", async () => {
    const world = await eventApi();
    const createResponse = await world.createEvent({ submission_url: "HTTPS://X.io" });
    assert.equal(createResponse.submission_url, "https://x.io/");
    const submission = { submission_url: "https://ex.ämple/ß?q=1", submission_instructions: "" };
    const { body } = await world.manageEvents("PUT", "/spring/submission", submission);
    assert.equal(body["submission_url"], "https://ex.xn--mple-koa/%C3%9F?q=1");
    const eventResponse = await sendRequest(world.api, ["GET", "/api/events?event=spring"]);
    assert.equal(
      (eventResponse.body as never)[0]["submission_url"],
      "https://ex.xn--mple-koa/%C3%9F?q=1",
    );
    for (const url of ["https://me@x.io/", "https:///", "ftp://x.io/", "https://x.io/ a"]) {
      const invalidBody = { ...submission, submission_url: url };
      const flagResponse = await world.manageEvents("PUT", "/spring/submission", invalidBody);
      assert.match(
        String(flagResponse.body["error"]),
        /^The field 'submission_url' of the body must /,
      );
      assert.equal(flagResponse.told, "400", url);
    }
  });

  it("can't change their conditions or opening time once open", async () => {
    const world = await eventApi();
    await world.createEvent({ opens_at: hoursAfterStart(-1) });
    const conditions = SPRING_EVENT.conditions.map((item) => ({ ...item, name: "Other" }));
    assert.equal(
      (await world.manageEvents("PUT", "/spring", { conditions })).told,
      "409 window_started",
    );
    assert.equal((await world.manageEvents("PUT", "/spring", { name: "Other" })).told, "200");
    const putDefinition = async (opens_at: string, closes_at: string) =>
      (await world.manageEvents("PUT", "/spring/schedule", { opens_at, closes_at })).told;
    assert.equal(
      await putDefinition(hoursAfterStart(1), hoursAfterStart(48)),
      "409 window_started",
    );
    assert.equal(
      await putDefinition(hoursAfterStart(-1), hoursAfterStart(-0.5)),
      "409 window_past",
    );
    assert.equal(
      await putDefinition(hoursAfterStart(-1), hoursAfterStart(-2)),
      "400 invalid_window",
    );
    assert.equal(await putDefinition(hoursAfterStart(-1), hoursAfterStart(9)), "200");
    await world.createEvent({
      id: "past",
      opens_at: hoursAfterStart(-3),
      closes_at: hoursAfterStart(-2),
    });
    const pastSchedule = { opens_at: hoursAfterStart(-3), closes_at: hoursAfterStart(9) };
    const closedResponse = await world.manageEvents("PUT", "/past/schedule", pastSchedule);
    assert.equal(closedResponse.told, "409 window_closed");
  });

  it("store text unchanged and never request the submission URL", async (t) => {
    const world = await eventApi();
    const fetchMock = t.mock.method(globalThis, "fetch", () => Promise.reject(new Error("asked")));
    const text = "<script>alert(1)</script>";
    await world.createEvent({ name: text, description: text });
    for (const address of ["https://127.0.0.1/in", "https://169.254.169.254/latest"]) {
      const submission = { submission_url: address, submission_instructions: text };
      assert.equal((await world.manageEvents("PUT", "/spring/submission", submission)).told, "200");
    }
    const { body, headers } = await sendRequest(world.api, ["GET", "/api/events?event=spring"]);
    assert.match(String(headers["content-type"]), /^application\/json/);
    assert.equal((body as never)[0]["description"], text);
    assert.equal(fetchMock.mock.callCount(), 0);
  });
});

describe("event images", () => {
  const png = Buffer.from("89504e470d0a1a0a", "hex");
  async function upload(world: EventApi, headers: Record<string, string> = {}, payload = png) {
    const token = world.api.identity.signIn("grace");
    const response = await world.api.app.inject({
      method: "PUT",
      url: "/api/admin/events/spring/image",
      headers: { authorization: `Bearer ${token}`, "content-type": "image/png", ...headers },
      payload,
    });
    return { status: response.statusCode, body: response.json<Record<string, never>>() };
  }

  it("are immutable under their hash and removed when unreferenced", async () => {
    const world = await eventApi();
    await world.createEvent();
    const putDefinition = await upload(world);
    const image = putDefinition.body["image"] as unknown as { url: string; alt: string };
    assert.deepEqual([putDefinition.status, image.alt], [200, "Spring"]);
    const served = await world.api.app.inject({ url: image.url });
    assert.equal(served.statusCode, 200);
    assert.equal(served.headers["content-type"], "image/webp");
    assert.match(String(served.headers["cache-control"]), /immutable/);
    const removeResponse = await world.manageEvents("DELETE", "/spring/image");
    assert.equal(removeResponse.body.image, null);
    await new Promise(setImmediate);
    assert.equal((await world.api.app.inject({ url: image.url })).statusCode, 404);
  });

  const REFUSED: [name: string, headers: Record<string, string>, bytes: number, status: number][] =
    [
      ["with a malformed alt text", { "x-service-image-alt": "%E0%A4%A" }, 8, 400],
      ["with an empty alt text", { "x-service-image-alt": "%20" }, 8, 400],
      ["with a long alt text", { "x-service-image-alt": "a".repeat(301) }, 8, 400],
      ["of another type", { "content-type": "image/svg+xml" }, 8, 415],
      ["that is JSON", { "content-type": "application/json" }, 0, 415],
      ["that is too large", {}, 5 * 1024 * 1024 + 1, 413],
    ];
  for (const [name, headers, bytes, status] of REFUSED)
    it(`are rejected ${name}`, async () => {
      const world = await eventApi();
      await world.createEvent();
      const putDefinition = await upload(world, headers, Buffer.alloc(bytes, png));
      assert.equal(putDefinition.status, status, JSON.stringify(putDefinition.body));
      assert.equal(world.api.images.storedImages.size, 0);
    });

  for (const [failure, status] of [
    ["too_large", 413],
    ["unsupported", 415],
    ["undecodable", 400],
    ["unavailable", 503],
  ] as const)
    it(`are rejected when they are ${failure}`, async () => {
      const world = await eventApi();
      await world.createEvent();
      world.api.images.failure = failure;
      assert.equal((await upload(world)).status, status);
    });

  it("have the alt text sent with the upload", async () => {
    const world = await eventApi();
    await world.createEvent();
    const putDefinition = await upload(world, {
      "x-service-image-alt": encodeURIComponent("Ein Ring für zwei"),
    });
    assert.equal(
      (putDefinition.body["image"] as unknown as { alt: string }).alt,
      "Ein Ring für zwei",
    );
    assert.equal((await signUpAccount(world.api, "mallory")).account.handle, "mallory");
  });
});

describe("an event whose write response is lost", () => {
  it("matches the store again after reconciliation", async () => {
    const world = await eventApi();
    const { api, manageEvents } = world;
    const { events } = api.store;
    Object.assign(events, {
      add: loseFirstResponse(events.add),
      change: loseFirstResponse(events.change),
      delete: loseFirstResponse(events.delete),
    });
    const approved = { kiter: "v2" };
    const steps = [
      [() => manageEvents("POST", "", SPRING_EVENT), SPRING_EVENT.approved],
      [() => manageEvents("PUT", "/spring/opponents", { approved }), approved],
      [() => manageEvents("DELETE", "/spring"), undefined],
    ] as const;
    for (const [operation, expectedApproved] of steps) {
      assert.match((await operation()).told, /^503/);
      await api.arena.runReconciliation();
      assert.deepEqual(api.events.byId("spring")?.approved, expectedApproved);
    }
  });
});
