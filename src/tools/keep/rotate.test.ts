// A new key for sessions, made by a command next to a server that runs.
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { keysIn, openSecrets } from "#outside/identity/secrets.ts";
import type { KeyNote } from "#outside/identity/secrets.ts";
import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { serveLadder } from "#testing/harness/test-server.ts";

type Rotation = { made: KeyNote; keys: KeyNote[] };

describe("bout rotate-keys", () => {
  it("makes a key next to a running server, and then another", async () => {
    const data = temporaryFolder();
    const server = await serveLadder(data, ["--accounts", "embedded", "--autoconfirm"]);
    const first = await runBout(["rotate-keys", "--data", data, "--json"]);
    assert.deepEqual([first.code, first.err], [0, ""]);
    const one = JSON.parse(first.out) as Rotation;
    assert.equal(one.keys.length, 2);
    assert.equal(one.keys[0]?.replaced, one.made.from);
    const { code, out } = await runBout(["rotate-keys"], "", data, { BOUT_DATA: data });
    assert.equal(code, 0);
    const [, second = ""] =
      /^(\S+) is published within 60 s and signs from \S+ on\.\n/.exec(out) ?? [];
    assert.notEqual(second, one.made.kid);
    assert.equal(out.match(/ stays good for what it has signed until /g)?.length, 2);
    assert.equal(statSync(join(data, "secrets.json")).mode & 0o777, 0o600);
    await server.shutDown();
    const restarted = await serveLadder(data, ["--accounts", "embedded", "--autoconfirm"]);
    const answer = await fetch(`${restarted.baseUrl}/auth/v1/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as { keys: { kid: string }[] };
    const kids = [...one.keys.map(({ kid }) => kid), second];
    assert.deepEqual(
      keys.map(({ kid }) => kid),
      kids,
    );
    await restarted.shutDown();
  });

  it("never loses a key that it has told of, however many call it at once", async () => {
    const data = temporaryFolder();
    const path = join(data, "secrets.json");
    await openSecrets(path, () => new Date());
    const all = await Promise.all(
      Array.from({ length: 4 }, () => runBout(["rotate-keys", "--data", data])),
    );
    const kept = ((await keysIn(path)) ?? []).map(({ kid }) => kid);
    let made = 0;
    for (const { code, out, err } of all) {
      assert.doesNotMatch(out, /null/);
      if (code === 0) {
        made += 1;
        assert.ok(kept.includes(out.split(" ")[0] ?? ""), out);
      } else assert.deepEqual([code, out, err.match(/\n/g)?.length], [1, "", 1], err);
    }
    assert.ok(made > 0);
    assert.equal(kept.length, made + 1);
  });

  it("makes nothing where there are no keys, and leaves a damaged file alone", async () => {
    const data = temporaryFolder();
    const path = join(data, "secrets.json");
    const none = await runBout(["rotate-keys", "--data", data]);
    assert.equal(none.code, 2);
    assert.match(none.err, /there is no secrets\.json/);
    assert.equal(existsSync(path), false);
    writeFileSync(path, "{", { mode: 0o600 });
    const damaged = await runBout(["rotate-keys", "--data", data]);
    assert.equal(damaged.code, 1);
    assert.match(damaged.err, /holds no secrets/);
    assert.equal(readFileSync(path, "utf8"), "{");
  });
});
