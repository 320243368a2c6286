import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { addAgentKey, signUpAccount } from "#testing/fixtures/account-api.ts";
import { ladderApi } from "#testing/fixtures/ladder-api.ts";
import { runAdminInProcess } from "#testing/fixtures/run-admin-in-process.ts";

describe("bout admin settings set", () => {
  let set: (...args: string[]) => ReturnType<typeof runAdminInProcess>;
  let world: Awaited<ReturnType<typeof ladderApi>>;
  before(async () => {
    world = await ladderApi();
    const { api, createLadder } = world;
    await createLadder({ max_concurrent: 8, owner_concurrency: 2 });
    const { token } = await signUpAccount(api, "root", "hopper");
    const key = await addAgentKey(api, token);
    const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
    set = (...args) => runAdminInProcess(["settings", "set", ...args, "--url", url], key);
  });
  after(() => world.api.app.close());

  it("changes one setting and leaves all others unchanged", async () => {
    const { api } = world;
    assert.deepEqual(await set("max_concurrent", "100", "--reason", "too slow"), {
      code: 0,
      out: "revision    1\nchanged     max_concurrent 320 to 100; applies: at once\n",
      err: "",
    });
    await set("tick_s", "0.5");
    await set("signup_open", "false");
    const { max_concurrent, tick_s, signup_open } = api.liveSettings.current();
    assert.deepEqual([max_concurrent, tick_s, signup_open], [100, 0.5, false]);
    const { out } = await set("max_concurrent", "default");
    assert.match(out, /^changed +max_concurrent 100 to 320; applies: at once$/m);
    assert.deepEqual(api.liveSettings.current().tick_s, 0.5);
  });

  it("sets a limit for one ladder", async () => {
    const { out } = await set("max_concurrent", "3", "--ladder", "cup");
    assert.match(out, /^changed +cup max_concurrent - to 3; applies: at once$/m);
    const defaultRun = await set("max_concurrent", "default", "--ladder", "cup");
    assert.match(defaultRun.out, /^changed +cup max_concurrent 3 to -; applies: at once$/m);
  });

  it("does nothing if the setting already has the value", async () => {
    const revisionAfter = async (value: string) => {
      const { out } = await set("owner_concurrency", value);
      return Number(/^revision +(\d+)$/m.exec(out)?.[1]);
    };
    const revision = await revisionAfter("5");
    for (const [args, out] of [
      [["owner_concurrency", "5"], "owner_concurrency is already 5; nothing changed.\n"],
      [
        ["match_interval_s", "default"],
        "match_interval_s is already at its default; nothing changed.\n",
      ],
      [
        ["owner_concurrency", "2", "--ladder", "cup"],
        "owner_concurrency for the ladder cup is already 2; nothing changed.\n",
      ],
    ] as const)
      assert.deepEqual(await set(...args), { code: 0, out, err: "" });
    assert.equal(await revisionAfter("6"), revision + 1);
  });

  it("rejects an unknown name or an invalid value, and changes nothing", async () => {
    for (const [args, error] of [
      [["max_concurent", "3"], "there is no setting max_concurent. Did you mean max_concurrent?"],
      [["colour", "3"], 'there is no setting colour. To list settings, run "bout admin settings".'],
      [
        ["max_concurrent", "many"],
        /^bout admin: max_concurrent takes a whole number from 0 to \d+, or default, not many\.$/,
      ],
      [["max_concurrent", "1.5"], /takes a whole number/],
      [["signup_open", "1"], "signup_open takes true or false, or default, not 1."],
      [["tick_s", "3", "--ladder", "cup"], "tick_s can't be set for a single ladder."],
    ] as const) {
      const { code, out, err } = await set(...args);
      assert.deepEqual([code, out], [2, ""], args.join(" "));
      if (typeof error === "string") assert.equal(err, `bout admin: ${error}\n`);
      else assert.match(err.trimEnd(), error);
    }
  });
});
