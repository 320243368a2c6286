import assert from "node:assert/strict";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";

import { calculateJwkThumbprint } from "jose";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { freshFolder, identityWorld } from "#testing/fixtures/identity-world.ts";

import { openSecrets } from "./secrets.ts";

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

it("after a rotation both keys are published until the last token of the old one has ended", async () => {
  const path = join(freshFolder(), "secrets.json");
  const clock = fakeClock();
  const secrets = await openSecrets(path, clock.wall);
  const before = secrets.signing().kid;
  await secrets.rotate();
  const after = secrets.signing().kid;
  assert.notEqual(after, before);
  const kids = () => secrets.published().map(({ kid }) => kid);
  assert.deepEqual(kids(), [before, after]);
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

it("tokens of the old key go on after a rotation", async () => {
  const world = await identityWorld();
  const { access } = await world.member("ada@example.org");
  await world.deps.secrets.rotate();
  assert.equal((await world.ask("GET", "/user", { jwt: access })).status, 200);
  assert.equal((await world.embedded.provider.verify(access, "browser")).issuer, "embedded");
  const next = await world.member("bob@example.org");
  world.clock.pass(31_000);
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
