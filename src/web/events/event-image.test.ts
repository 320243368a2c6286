// Pictures through the route, with the decoder that a server has.

import assert from "node:assert/strict";
import { mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import sharp from "sharp";

import { openImages } from "#data/files/images.ts";
import type { Images } from "#data/files/images.ts";
import { StoreError } from "#data/store/errors.ts";
import { claimingPng } from "#testing/fixtures/claiming-png.ts";
import { eventApi } from "#testing/fixtures/event-api.ts";
import type { EventApi } from "#testing/fixtures/event-api.ts";
import { loseAnswer } from "#testing/fixtures/lose-answer.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>';

type Row = [payload: Buffer, headers: Record<string, string>, status: number];

/** What ends a line, and other characters without a look: NUL, tab, LF, CR, DEL, NEL, LS, PS. */
const BREAKS = ["%00", "%09", "%0A", "%0D", "%7F", "%C2%85", "%E2%80%A8", "%E2%80%A9"];

describe("T61 a picture of an event", () => {
  let world: EventApi;
  let images: Images;
  let folder: string;
  let png: Buffer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "bout-event-image-"));
    images = await openImages(folder);
    world = await eventApi();
    Object.assign(world.api.images, images);
    await world.begin();
    const create = { width: 30, height: 20, channels: 3, background: "teal" } as const;
    png = await sharp({ create }).png().toBuffer();
  });
  after(async () => {
    await images.close();
    await rm(folder, { recursive: true });
  });

  async function upload(payload: Buffer, headers: Record<string, string> = {}) {
    const token = world.api.identity.signIn("grace");
    const answer = await world.api.app.inject({
      method: "PUT",
      url: "/api/admin/events/spring/image",
      headers: { authorization: `Bearer ${token}`, "content-type": "image/png", ...headers },
      payload,
    });
    const body = answer.json<{ image?: object | null; error?: string }>();
    return { status: answer.statusCode, body };
  }

  it("takes alt text with emoji", async () => {
    const { status, body } = await upload(png, { "x-service-image-alt": "%F0%9F%8F%86" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((body.image as { alt: string }).alt, "\u{1f3c6}");
  });

  it("is served as WebP, with its text", async () => {
    const { status, body } = await upload(png, { "x-service-image-alt": "%0ATeal%21%20" });
    assert.equal(status, 200, JSON.stringify(body));
    const { url, ...about } = body.image as { url: string };
    assert.deepEqual(about, { alt: "Teal!", width: 30, height: 20 });
    const { rawPayload, headers } = await world.api.app.inject(url);
    assert.equal(headers["content-type"], "image/webp");
    assert.equal((await sharp(rawPayload).metadata()).format, "webp");
  });

  it("is refused, and the one before it stays, when it is not what it says", async () => {
    const rows: Row[] = [
      [claimingPng(8000, 5001), {}, 413],
      [claimingPng(65_535, 65_535), {}, 413],
      [Buffer.from(SVG), {}, 415],
      [Buffer.from(SVG), { "content-type": "image/svg+xml" }, 415],
      [png, { "content-type": "image/webp" }, 415],
      [png.subarray(0, -20), {}, 400],
      [png, { "content-type": "application/json" }, 415],
      [png, { "x-service-image-alt": "%E0%A4%A" }, 400],
      [png, { "x-service-image-alt": "Caf\u00c3\u00a9" }, 400],
      ...BREAKS.map((code): Row => [png, { "x-service-image-alt": `a${code}b` }, 400]),
    ];
    const earlier = pictureNow();
    assert.ok(earlier);
    for (const [payload, headers, status] of rows) {
      const told = await upload(payload, headers);
      assert.equal(told.status, status, JSON.stringify([headers, told.body]));
      assert.deepEqual(pictureNow(), earlier);
    }
  });

  const pictureNow = () => world.api.events.byId("spring")?.image ?? null;
  const served = async () => {
    const { statusCode, rawPayload } = await world.api.app.inject(
      `/images/${pictureNow()?.hash}.webp`,
    );
    return [statusCode, rawPayload.toString("hex")];
  };
  const other = () =>
    sharp({ create: { width: 31, height: 20, channels: 3, background: "navy" } })
      .png()
      .toBuffer();

  for (const [what, bytes] of [
    ["gone", null],
    ["no folder", Buffer.from("a file")],
  ] as const)
    it(`T49 is refused while the place of the pictures is ${what}, and the one before it stays`, async () => {
      const [earlier, before] = [pictureNow(), await served()];
      const names = await readdir(folder);
      await rename(folder, `${folder}-away`);
      if (bytes !== null) await writeFile(folder, bytes);
      try {
        const { status } = await upload(await other());
        assert.equal(status, 503);
      } finally {
        await rm(folder, { recursive: true, force: true });
        await rename(`${folder}-away`, folder);
      }
      assert.deepEqual(pictureNow(), earlier);
      assert.deepEqual(await world.api.store.events.images(), [earlier]);
      assert.deepEqual(await served(), before);
      assert.deepEqual(await readdir(folder), names);
    });

  /** Whatever is being swept away is gone then. */
  const swept = async () => {
    const hashes = async () => (await readdir(folder)).map((name) => name.split(".")[0]!);
    assert.equal(await images.sweep(hashes), 0);
  };

  it("T49 is there in the end where the store named it without an answer", async () => {
    const { events } = world.api.store;
    const [earlier, { change }] = [pictureNow(), events];
    await world.begin({ id: "late" });
    Object.assign(events, { change: loseAnswer(change) });
    assert.equal((await upload(await other())).status, 503);
    assert.deepEqual(pictureNow(), earlier);
    assert.equal((await world.manage("DELETE", "/late/image")).told, "200");
    await swept();
    await world.api.arena.settleDoubts();
    await swept();
    assert.equal(pictureNow()?.width, 31);
    assert.equal((await served())[0], 200);
    assert.deepEqual(await readdir(folder), [`${pictureNow()?.hash}.webp`]);
    Object.assign(events, { change });
  });

  it("T49 leaves nothing behind where the store has not named it", async () => {
    const { events } = world.api.store;
    const [earlier, { change }] = [pictureNow(), events];
    const fail = () => Promise.reject(new StoreError("unavailable", "the store is out of reach"));
    Object.assign(events, { change: fail });
    assert.equal((await upload(png)).status, 503);
    assert.equal((await readdir(folder)).length, 2);
    Object.assign(events, { change });
    await world.api.arena.settleDoubts();
    await swept();
    assert.deepEqual(pictureNow(), earlier);
    assert.deepEqual(await readdir(folder), [`${earlier?.hash}.webp`]);
  });
});
