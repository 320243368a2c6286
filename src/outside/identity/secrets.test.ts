import assert from "node:assert/strict";
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";

import { calculateJwkThumbprint } from "jose";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { freshFolder, identityWorld } from "#testing/fixtures/identity-world.ts";

import { keysIn, openSecrets, ROTATION_LEAD_S } from "./secrets.ts";

const LEAD_MS = ROTATION_LEAD_S * 1000;
const RETIREMENT_MS = (3600 + 20 * 60) * 1000;

it("the secrets of a folder are made once, and only their owner reads them", async () => {
  const path = join(freshFolder(), "secrets.json");
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
  assert.equal(second.signing().kid, first.signing().kid);
});

it("the key set has public keys alone, named by their thumbprint", async () => {
  const { published } = await openSecrets(join(freshFolder(), "s.json"), () => new Date());
  const [key] = published();
  assert.ok(key !== undefined);
  assert.deepEqual(Object.keys(key).toSorted(), ["alg", "crv", "kid", "kty", "use", "x", "y"]);
  assert.equal(key.kid, await calculateJwkThumbprint(key));
  assert.equal(key.alg, "ES256");
});

it("a new key is published before it signs, the old one until its last token has ended", async () => {
  const path = join(freshFolder(), "secrets.json");
  const clock = fakeClock();
  const secrets = await openSecrets(path, clock.wall);
  const before = secrets.signing().kid;
  const { kid: after } = await secrets.rotate();
  assert.notEqual(after, before);
  const kids = () => secrets.published().map(({ kid }) => kid);
  assert.deepEqual(kids(), [before, after]);
  clock.pass(LEAD_MS - 1);
  assert.equal(secrets.signing().kid, before);
  clock.pass(1);
  assert.equal(secrets.signing().kid, after);
  const reopened = await openSecrets(path, clock.wall);
  assert.equal(reopened.signing().kid, after);
  clock.pass(RETIREMENT_MS - 1);
  assert.deepEqual(kids(), [before, after]);
  clock.pass(1);
  assert.deepEqual(kids(), [after]);
  await secrets.rotate();
  assert.ok(!(await readFile(path, "utf8")).includes(before));
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

it("a second rotation before the first one has its turn leaves no token without a key", async () => {
  const clock = fakeClock();
  const secrets = await openSecrets(join(freshFolder(), "secrets.json"), clock.wall);
  const first = secrets.signing().kid;
  const { kid: second } = await secrets.rotate();
  clock.pass(LEAD_MS / 2);
  const { kid: third } = await secrets.rotate();
  const signedBy: string[] = [];
  for (let half = 0; half < 3; half += 1) {
    const { kid } = secrets.signing();
    signedBy.push(kid);
    assert.ok(secrets.published().some((key) => key.kid === kid));
    clock.pass(LEAD_MS / 2);
  }
  assert.deepEqual(signedBy, [first, second, third]);
  assert.deepEqual(
    secrets.published().map(({ kid }) => kid),
    [first, second, third],
  );
});

it("a running server takes up what another process has rotated, and nothing that is damaged", async () => {
  const path = join(freshFolder(), "secrets.json");
  const clock = fakeClock();
  const [server, command] = [
    await openSecrets(path, clock.wall),
    await openSecrets(path, clock.wall),
  ];
  assert.equal(await server.refresh(), false);
  const { kid } = await command.rotate();
  assert.equal(await server.refresh(), true);
  assert.equal(server.published().at(-1)?.kid, kid);
  clock.pass(LEAD_MS);
  assert.equal(server.signing().kid, kid);
  const whole = await readFile(path, "utf8");
  for (const text of ["{", whole.replace(/"root": "../, '"root": "AA')]) {
    await writeFile(path, text);
    await assert.rejects(server.refresh(), /holds no secrets|another server/);
    assert.equal(server.signing().kid, kid);
  }
  await rm(path);
  assert.equal(await server.refresh(), false);
  assert.equal(server.signing().kid, kid);
});

it("a rotation that another one overtook changes nothing", async () => {
  const folder = freshFolder();
  const path = join(folder, "secrets.json");
  const { wall } = fakeClock();
  const [one, other] = [await openSecrets(path, wall), await openSecrets(path, wall)];
  await one.rotate();
  const text = await readFile(path, "utf8");
  await assert.rejects(other.rotate(), /were changed meanwhile/);
  assert.equal(await readFile(path, "utf8"), text);
  assert.deepEqual(await readdir(folder), ["secrets.json"]);
  await other.refresh();
  await other.rotate();
  assert.equal((await keysIn(path))?.length, 3);
});

it("a clock that is set back by months signs with a key that is published", async () => {
  const path = join(freshFolder(), "secrets.json");
  const clock = fakeClock();
  await (await openSecrets(path, clock.wall)).rotate();
  const back = () => new Date(clock.wall().getTime() - 60 * 86_400_000);
  const secrets = await openSecrets(path, back);
  const { kid } = secrets.signing();
  assert.ok(secrets.published().some((key) => key.kid === kid));
});

it("what may be told of keys has no secret part, and looking makes nothing", async () => {
  const folder = freshFolder();
  const path = join(folder, "secrets.json");
  assert.equal(await keysIn(path), null);
  assert.deepEqual(await readdir(folder), []);
  const secrets = await openSecrets(path, fakeClock().wall);
  const note = await secrets.rotate();
  const keys = await keysIn(path);
  assert.deepEqual(keys?.at(-1), note);
  assert.deepEqual(Object.keys(keys?.[0] ?? {}), ["kid", "made", "from", "replaced"]);
  assert.equal(keys?.[0]?.replaced, note.from);
});

it("sessions and tokens of the old key go on through a rotation", async () => {
  const world = await identityWorld();
  const { access } = await world.member("ada@example.org");
  await world.deps.secrets.rotate();
  world.clock.pass(LEAD_MS);
  assert.equal((await world.ask("GET", "/user", { jwt: access })).status, 200);
  assert.equal((await world.embedded.provider.verify(access, "browser")).issuer, "embedded");
  const next = await world.member("bob@example.org");
  assert.equal((await world.embedded.provider.verify(next.access, "browser")).subject, next.id);
});

it("a damaged file is never replaced", async () => {
  for (const text of ["", "{", "null", '{"version":1,"root":"AA","keys":[]}']) {
    const folder = freshFolder();
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
