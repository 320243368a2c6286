import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { wrapRepositories } from "#data/store/store.ts";
import {
  statusAndCode,
  followVerifyLink,
  identityWorld,
} from "#testing/fixtures/identity-world.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

const ADA = "ada@example.org";

it("only the codes of the newest three emails of a purpose work, whoever requested them", async () => {
  const world = await identityWorld();
  await world.addMember(ADA);
  const mails = [];
  for (let email = 0; email < 5; email += 1) {
    const caller = `192.0.2.${email}`;
    await world.sendRequest("POST", "/recover", { body: { email: ADA }, caller });
    mails.push(await world.waitForEmail(ADA));
    world.clock.advance(1000);
  }
  const statusOf = async (token: string | null) =>
    (await world.sendRequest("POST", "/verify", { body: { type: "recovery", email: ADA, token } }))
      .status;
  const [first, second, third] = mails;
  assert.equal(await statusOf(first?.code ?? null), 403);
  assert.equal(await statusOf(second?.code ?? null), 403);
  assert.match((await followVerifyLink(world, first?.link ?? null)).hash, /token_hash=/);
  assert.equal(await statusOf(third?.code ?? null), 200);
});

describe("wrong codes", () => {
  it("are counted per address across emails, and after twenty in a day only links work", async () => {
    const world = await identityWorld();
    const { id } = await world.addMember(ADA);
    const recover = async () => {
      world.receivedEmails.splice(0);
      world.clock.advance(60_000);
      await world.sendRequest("POST", "/recover", { body: { email: ADA } });
      return world.waitForEmail(ADA);
    };
    const verify = async (token: string | null) =>
      statusAndCode(
        await world.sendRequest("POST", "/verify", {
          body: { type: "recovery", email: ADA, token },
        }),
      )[0];
    for (let email = 0; email < 5; email += 1) {
      const { code } = await recover();
      const wrong = code === "111111" ? "222222" : "111111";
      for (let guess = 0; guess < 4; guess += 1) assert.equal(await verify(wrong), 403);
      assert.deepEqual(world.attackedUserIds, email < 4 ? [] : [id]);
    }
    const { code, link } = await recover();
    assert.equal(await verify(code), 403);
    assert.equal((await followVerifyLink(world, link)).hash.includes("otp_expired"), false);
    assert.deepEqual(world.attackedUserIds, [id], "audited once");
    world.clock.advance(86_400_000);
    assert.equal(await verify((await recover()).code), 200);
  });

  it("cause the same store writes for an unknown address as for a known one", async () => {
    const calls: string[] = [];
    const memory = memoryStore();
    const store = wrapRepositories(memory, (method, name) => async (...values) => {
      calls.push(name);
      return method(...values);
    });
    const world = await identityWorld({ store });
    await world.addMember(ADA);
    await world.sendRequest("POST", "/recover", { body: { email: ADA } });
    await world.waitForEmail(ADA);
    const callsOf = async (email: string) => {
      calls.splice(0);
      const body = { type: "recovery", email, token: "no code" };
      assert.deepEqual(statusAndCode(await world.sendRequest("POST", "/verify", { body })), [
        403,
        "otp_expired",
      ]);
      return calls.join();
    };
    assert.equal(await callsOf(ADA), await callsOf("nobody@example.org"));
  });
});
