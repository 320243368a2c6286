import assert from "node:assert/strict";
import { mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import sharp from "sharp";

import { openImages } from "#data/files/images.ts";
import type { Images } from "#data/files/images.ts";
import { StoreError } from "#data/store/errors.ts";
import { eventApi } from "#testing/fixtures/event-api.ts";
import type { EventApi } from "#testing/fixtures/event-api.ts";
import { loseFirstResponse } from "#testing/fixtures/lose-first-response.ts";
import { pngWithClaimedSize } from "#testing/fixtures/png-with-claimed-size.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>';

type Row = [payload: Buffer, headers: Record<string, string>, status: number];

/** Encoded control characters and line breaks: NUL, tab, LF, CR, DEL, NEL, LS, PS. */
const BREAKS = ["%00", "%09", "%0A", "%0D", "%7F", "%C2%85", "%E2%80%A8", "%E2%80%A9"];

describe("T61 an event image", () => {
  let world: EventApi;
  let images: Images;
  let folder: string;
  let png: Buffer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "bout-event-image-"));
    images = await openImages(folder);
    world = await eventApi();
    Object.assign(world.api.images, images);
    await world.createEvent();
    const create = { width: 30, height: 20, channels: 3, background: "teal" } as const;
    png = await sharp({ create }).png().toBuffer();
  });
  after(async () => {
    await images.close();
    await rm(folder, { recursive: true });
  });

  async function upload(payload: Buffer, headers: Record<string, string> = {}) {
    const token = world.api.identity.signIn("grace");
    const response = await world.api.app.inject({
      method: "PUT",
      url: "/api/admin/events/spring/image",
      headers: { authorization: `Bearer ${token}`, "content-type": "image/png", ...headers },
      payload,
    });
    const body = response.json<{ image?: object | null; error?: string }>();
    return { status: response.statusCode, body };
  }

  it("accepts alt text with emoji", async () => {
    const { status, body } = await upload(png, { "x-service-image-alt": "%F0%9F%8F%86" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((body.image as { alt: string }).alt, "\u{1f3c6}");
  });

  it("is served as WebP, with its alt text", async () => {
    const { status, body } = await upload(png, { "x-service-image-alt": "%0ATeal%21%20" });
    assert.equal(status, 200, JSON.stringify(body));
    const { url, ...imageFields } = body.image as { url: string };
    assert.deepEqual(imageFields, { alt: "Teal!", width: 30, height: 20 });
    const { rawPayload, headers } = await world.api.app.inject(url);
    assert.equal(headers["content-type"], "image/webp");
    assert.equal((await sharp(rawPayload).metadata()).format, "webp");
  });

  it("is rejected if the content doesn't match its type, and the previous image remains", async () => {
    const rows: Row[] = [
      [pngWithClaimedSize(8000, 5001), {}, 413],
      [pngWithClaimedSize(65_535, 65_535), {}, 413],
      [Buffer.from(SVG), {}, 415],
      [Buffer.from(SVG), { "content-type": "image/svg+xml" }, 415],
      [png, { "content-type": "image/webp" }, 415],
      [png.subarray(0, -20), {}, 400],
      [png, { "content-type": "application/json" }, 415],
      [png, { "x-service-image-alt": "%E0%A4%A" }, 400],
      [png, { "x-service-image-alt": "Caf\u00c3\u00a9" }, 400],
      ...BREAKS.map((code): Row => [png, { "x-service-image-alt": `a${code}b` }, 400]),
    ];
    const earlierHash = currentImageHash();
    assert.ok(earlierHash);
    for (const [payload, headers, status] of rows) {
      const uploadStatus = await upload(payload, headers);
      assert.equal(uploadStatus.status, status, JSON.stringify([headers, uploadStatus.body]));
      assert.deepEqual(currentImageHash(), earlierHash);
    }
  });

  const currentImageHash = () => world.api.events.byId("spring")?.image ?? null;
  const readImage = async () => {
    const { statusCode, rawPayload } = await world.api.app.inject(
      `/images/${currentImageHash()?.hash}.webp`,
    );
    return [statusCode, rawPayload.toString("hex")];
  };
  const uploadOther = () =>
    sharp({ create: { width: 31, height: 20, channels: 3, background: "navy" } })
      .png()
      .toBuffer();

  for (const [description, bytes] of [
    ["gone", null],
    ["no folder", Buffer.from("a file")],
  ] as const)
    it(`T49 is rejected while the image folder is ${description}, and the previous image remains`, async () => {
      const [earlierHash, servedBefore] = [currentImageHash(), await readImage()];
      const names = await readdir(folder);
      await rename(folder, `${folder}-away`);
      if (bytes !== null) await writeFile(folder, bytes);
      try {
        const { status } = await upload(await uploadOther());
        assert.equal(status, 503);
      } finally {
        await rm(folder, { recursive: true, force: true });
        await rename(`${folder}-away`, folder);
      }
      assert.deepEqual(currentImageHash(), earlierHash);
      assert.deepEqual(await world.api.store.events.images(), [earlierHash]);
      assert.deepEqual(await readImage(), servedBefore);
      assert.deepEqual(await readdir(folder), names);
    });

  /** Sweeping runs after all pending removals, so the folder contains only stored images. */
  const storedHashes = async () => {
    const hashes = async () => (await readdir(folder)).map((name) => name.split(".")[0]!);
    assert.equal(await images.sweep(hashes), 0);
  };

  it("T49 is kept if the store saved it but the response was lost", async () => {
    const { events } = world.api.store;
    const [earlierHash, { change }] = [currentImageHash(), events];
    await world.createEvent({ id: "late" });
    Object.assign(events, { change: loseFirstResponse(change) });
    assert.equal((await upload(await uploadOther())).status, 503);
    assert.deepEqual(currentImageHash(), earlierHash);
    assert.equal((await world.manageEvents("DELETE", "/late/image")).told, "200");
    await storedHashes();
    await world.api.arena.runReconciliation();
    await storedHashes();
    assert.equal(currentImageHash()?.width, 31);
    assert.equal((await readImage())[0], 200);
    assert.deepEqual(await readdir(folder), [`${currentImageHash()?.hash}.webp`]);
    Object.assign(events, { change });
  });

  it("T49 is removed if the store didn't save it", async () => {
    const { events } = world.api.store;
    const [earlierHash, { change }] = [currentImageHash(), events];
    const fail = () => Promise.reject(new StoreError("unavailable", "store unreachable"));
    Object.assign(events, { change: fail });
    assert.equal((await upload(png)).status, 503);
    assert.equal((await readdir(folder)).length, 2);
    Object.assign(events, { change });
    await world.api.arena.runReconciliation();
    await storedHashes();
    assert.deepEqual(currentImageHash(), earlierHash);
    assert.deepEqual(await readdir(folder), [`${earlierHash?.hash}.webp`]);
  });
});
