import assert from "node:assert/strict";
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";

import { calculateJwkThumbprint } from "jose";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { temporaryIdentityFolder, identityWorld } from "#testing/fixtures/identity-world.ts";

import { readKeyInfo, openSecrets, ROTATION_LEAD_S } from "./secrets.ts";

const LEAD_MS = ROTATION_LEAD_S * 1000;
const RETIREMENT_MS = (3600 + 20 * 60) * 1000;

it("creates a folder's secrets once, readable only by their owner", async () => {
  const path = join(temporaryIdentityFolder(), "secrets.json");
  const { wall } = fakeClock();
  const first = await openSecrets(path, wall);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const text = await readFile(path, "utf8");
  await chmod(path, 0o644);
  const second = await openSecrets(path, wall);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal(await readFile(path, "utf8"), text);
  assert.deepEqual(second.derive("a"), first.derive("a"));
  assert.notDeepEqual(second.derive("a"), second.derive("b"));
  assert.equal(second.signingKey().kid, first.signingKey().kid);
});

it("the key set contains only public keys, identified by their thumbprint", async () => {
  const { publishedKeys } = await openSecrets(
    join(temporaryIdentityFolder(), "s.json"),
    () => new Date(),
  );
  const [key] = publishedKeys();
  assert.ok(key !== undefined);
  assert.deepEqual(Object.keys(key).toSorted(), ["alg", "crv", "kid", "kty", "use", "x", "y"]);
  assert.equal(key.kid, await calculateJwkThumbprint(key));
  assert.equal(key.alg, "ES256");
});

it("publishes a new key before signing with it, and the old key until its last token expires", async () => {
  const path = join(temporaryIdentityFolder(), "secrets.json");
  const clock = fakeClock();
  const secrets = await openSecrets(path, clock.wall);
  const before = secrets.signingKey().kid;
  const { kid: after } = await secrets.rotate();
  assert.notEqual(after, before);
  const kids = () => secrets.publishedKeys().map(({ kid }) => kid);
  assert.deepEqual(kids(), [before, after]);
  clock.advance(LEAD_MS - 1);
  assert.equal(secrets.signingKey().kid, before);
  clock.advance(1);
  assert.equal(secrets.signingKey().kid, after);
  const reopened = await openSecrets(path, clock.wall);
  assert.equal(reopened.signingKey().kid, after);
  clock.advance(RETIREMENT_MS - 1);
  assert.deepEqual(kids(), [before, after]);
  clock.advance(1);
  assert.deepEqual(kids(), [after]);
  await secrets.rotate();
  assert.ok(!(await readFile(path, "utf8")).includes(before));
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

it("every token has a published key after two rotations in a row", async () => {
  const clock = fakeClock();
  const secrets = await openSecrets(join(temporaryIdentityFolder(), "secrets.json"), clock.wall);
  const first = secrets.signingKey().kid;
  const { kid: second } = await secrets.rotate();
  clock.advance(LEAD_MS / 2);
  const { kid: third } = await secrets.rotate();
  const signingKidOf: string[] = [];
  for (let lifetimeStep = 0; lifetimeStep < 3; lifetimeStep += 1) {
    const { kid } = secrets.signingKey();
    signingKidOf.push(kid);
    assert.ok(secrets.publishedKeys().some((key) => key.kid === kid));
    clock.advance(LEAD_MS / 2);
  }
  assert.deepEqual(signingKidOf, [first, second, third]);
  assert.deepEqual(
    secrets.publishedKeys().map(({ kid }) => kid),
    [first, second, third],
  );
});

it("a running server loads rotated keys and ignores a damaged file", async () => {
  const path = join(temporaryIdentityFolder(), "secrets.json");
  const clock = fakeClock();
  const [server, command] = [
    await openSecrets(path, clock.wall),
    await openSecrets(path, clock.wall),
  ];
  assert.equal(await server.refresh(), false);
  const { kid } = await command.rotate();
  assert.equal(await server.refresh(), true);
  assert.equal(server.publishedKeys().at(-1)?.kid, kid);
  clock.advance(LEAD_MS);
  assert.equal(server.signingKey().kid, kid);
  const fileText = await readFile(path, "utf8");
  for (const text of ["{", fileText.replace(/"root": "../, '"root": "AA')]) {
    await writeFile(path, text);
    await assert.rejects(server.refresh(), /holds no secrets|another server/);
    assert.equal(server.signingKey().kid, kid);
  }
  await rm(path);
  assert.equal(await server.refresh(), false);
  assert.equal(server.signingKey().kid, kid);
});

it("a rotation that lost a race changes nothing", async () => {
  const folder = temporaryIdentityFolder();
  const path = join(folder, "secrets.json");
  const { wall } = fakeClock();
  const [firstProcess, secondProcess] = [
    await openSecrets(path, wall),
    await openSecrets(path, wall),
  ];
  await firstProcess.rotate();
  const text = await readFile(path, "utf8");
  await assert.rejects(secondProcess.rotate(), /were changed meanwhile/);
  assert.equal(await readFile(path, "utf8"), text);
  assert.deepEqual(await readdir(folder), ["secrets.json"]);
  await secondProcess.refresh();
  await secondProcess.rotate();
  assert.equal((await readKeyInfo(path))?.length, 3);
});

it("signs with a published key after the clock is set back by months", async () => {
  const path = join(temporaryIdentityFolder(), "secrets.json");
  const clock = fakeClock();
  await (await openSecrets(path, clock.wall)).rotate();
  const reread = () => new Date(clock.wall().getTime() - 60 * 86_400_000);
  const secrets = await openSecrets(path, reread);
  const { kid } = secrets.signingKey();
  assert.ok(secrets.publishedKeys().some((key) => key.kid === kid));
});

it("key info contains no secrets, and reading it creates no file", async () => {
  const folder = temporaryIdentityFolder();
  const path = join(folder, "secrets.json");
  assert.equal(await readKeyInfo(path), null);
  assert.deepEqual(await readdir(folder), []);
  const secrets = await openSecrets(path, fakeClock().wall);
  const keyInfo = await secrets.rotate();
  const keys = await readKeyInfo(path);
  assert.deepEqual(keys?.at(-1), keyInfo);
  assert.deepEqual(Object.keys(keys?.[0] ?? {}), ["kid", "made", "from", "replaced"]);
  assert.equal(keys?.[0]?.replaced, keyInfo.from);
});

it("sessions and tokens signed with the old key survive a rotation", async () => {
  const world = await identityWorld();
  const { access } = await world.addMember("ada@example.org");
  await world.deps.secrets.rotate();
  world.clock.advance(LEAD_MS);
  assert.equal((await world.sendRequest("GET", "/user", { jwt: access })).status, 200);
  assert.equal((await world.embedded.provider.verify(access, "browser")).issuer, "embedded");
  const next = await world.addMember("bob@example.org");
  assert.equal((await world.embedded.provider.verify(next.access, "browser")).subject, next.id);
});

it("never replaces a damaged file", async () => {
  for (const text of ["", "{", "null", '{"version":1,"root":"AA","keys":[]}']) {
    const folder = temporaryIdentityFolder();
    const path = join(folder, "secrets.json");
    await writeFile(path, text);
    await chmod(path, 0o600);
    await assert.rejects(
      openSecrets(path, () => new Date()),
      /holds no secrets/,
    );
    assert.equal(await readFile(path, "utf8"), text);
    assert.deepEqual(await readdir(folder), ["secrets.json"]);
  }
});
