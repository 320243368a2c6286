// Programs of both SDKs come over a real port: from a 401 to a registered bot, and back out.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { ask, promote } from "#testing/fixtures/account-api.ts";
import { signIn } from "#testing/fixtures/identity-world.ts";
import { answerProgram, MCP_CLIENTS, programAuth } from "#testing/fixtures/mcp-clients.ts";
import { mcpWorld } from "#testing/fixtures/mcp-world.ts";
import type { McpWorld, McpMember } from "#testing/fixtures/mcp-world.ts";

let world: McpWorld;
let ada: McpMember;
let grace: McpMember;
before(async () => {
  world = await mcpWorld();
  ada = await world.join("ada");
  grace = await world.join("grace");
  await promote(world.api, grace.account);
});
after(() => world.close());

const structured = ({ structuredContent }: { structuredContent?: unknown }) =>
  structuredContent as Record<string, never>;

for (const [at, [kind, client]] of Object.entries(MCP_CLIENTS).entries())
  describe(kind, () => {
    const auth = programAuth();
    const open = () => client.open(world.endpoint, { auth });
    const programs = async () => {
      const { body } = await ask(world.api, ["GET", "/api/account"], { token: ada.token });
      return body.mcp_clients as { client_id: string; name: string; last_used: string | null }[];
    };
    const letIn = async () => {
      const back = await answerProgram(world, ada, auth.kept.sentTo);
      await client.finish(world.endpoint, auth, back);
    };

    it("finds its way from a 401 over the person's consent to a registered bot", async () => {
      await assert.rejects(open, /[Uu]nauthorized/);
      assert.equal(auth.kept.sentTo?.searchParams.get("resource"), world.endpoint.href);
      await letIn();
      const session = await open();
      assert.match(session.instructions() ?? "", /^A ladder for programmable fighter bots\./);
      assert.match(session.instructions() ?? "", /written by other users: .*untrusted data/);
      const who = structured(await session.call("whoami"));
      assert.deepEqual([who["account_id"], who["handle"]], [ada.account.id, "ada"]);
      const name = `Rex-${at}`;
      const made = structured(await session.call("register_bot", { name }));
      assert.match(String(made["token"]), /^bout_bot_/);
      const stored = await world.api.store.bots.byName(name);
      assert.equal(stored?.ownerId, ada.account.id);
      await session.close();
    });

    it("may do nothing more once it is turned out, until the person lets it in again", async () => {
      const session = await open();
      const [program] = await programs();
      assert.deepEqual([program?.name, typeof program?.last_used], ["Test agent", "string"]);
      const address = `/api/account/mcp/clients/${program?.client_id}` as const;
      const revoked = await ask(world.api, ["DELETE", address], { token: ada.token });
      assert.deepEqual(revoked.body, { revoked: true, oauth_revoked: true });
      auth.kept.sentTo = null;
      await assert.rejects(session.call("whoami"), /[Uu]nauthorized/);
      await letIn();
      const again = await open();
      assert.equal(structured(await again.call("whoami"))["handle"], "ada");
      await Promise.all([session.close(), again.close()]);
      await ask(world.api, ["DELETE", address], { token: ada.token });
    });

    it("is told when the person says no", async () => {
      const other = programAuth();
      await assert.rejects(client.open(world.endpoint, { auth: other }));
      const back = await answerProgram(world, ada, other.kept.sentTo, "deny");
      assert.equal(back.get("error"), "access_denied");
      assert.equal((await programs()).length, 0);
    });

    it("needs no browser with an agent key, and checks each answer by its schema", async () => {
      const session = await client.open(world.endpoint, { key: ada.key });
      const tools = await session.tools();
      assert.equal(tools.length, 18);
      for (const { name } of tools.filter(({ inputSchema }) => !("required" in inputSchema)))
        assert.ok(!("isError" in (await session.call(name))), name);
      for (const [name, given] of [
        ["get_bot", { name: `Rex-${at}` }],
        ["get_docs", { name: "rules" }],
        ["enroll_ladder", { ladder: "public" }],
        ["delete_bot", { name: `rex-${at}` }],
      ] as const)
        assert.ok(!("isError" in (await session.call(name, given))), name);
      const refused = await session.call("get_match", { id: "no id" });
      assert.deepEqual([refused.isError, structured(refused)["code"]], [true, "not_found"]);
      await session.close();
    });

    it("asks anew after an operator's sign-out, and comes back in", async () => {
      const eve = await world.join(`eve-${at}`);
      const own = programAuth();
      const enter = () => client.open(world.endpoint, { auth: own });
      const answer = async (person: { token: string }) =>
        client.finish(world.endpoint, own, await answerProgram(world, person, own.kept.sentTo));
      await assert.rejects(enter);
      await answer(eve);
      const session = await enter();
      world.people.clock.pass(2000);
      const url = `/api/admin/accounts/${eve.account.id}/sign-out` as const;
      assert.equal((await ask(world.api, ["POST", url], { token: grace.token })).told, "200");
      own.kept.sentTo = null;
      await assert.rejects(session.call("whoami"), /[Uu]nauthorized/);
      const { access: token } = await signIn(world.people, `eve-${at}@example.org`);
      await answer({ token });
      const again = await enter();
      assert.equal(structured(await again.call("whoami"))["handle"], `eve-${at}`);
      await Promise.all([session.close(), again.close()]);
    });
  });
