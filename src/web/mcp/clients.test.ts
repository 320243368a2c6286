// Runs the clients of both SDKs over a real port, from the first 401 to a registered bot and
// revocation.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { sendRequest, makeAdmin } from "#testing/fixtures/account-api.ts";
import { signInMember } from "#testing/fixtures/identity-world.ts";
import { authorizeApp, MCP_CLIENTS, createAppAuth } from "#testing/fixtures/mcp-clients.ts";
import { mcpWorld } from "#testing/fixtures/mcp-world.ts";
import type { McpWorld, McpMember } from "#testing/fixtures/mcp-world.ts";

let world: McpWorld;
let ada: McpMember;
let grace: McpMember;
before(async () => {
  world = await mcpWorld();
  ada = await world.addMember("ada");
  grace = await world.addMember("grace");
  await makeAdmin(world.api, grace.account);
});
after(() => world.close());

const structuredOf = ({ structuredContent }: { structuredContent?: unknown }) =>
  structuredContent as Record<string, never>;

for (const [at, [kind, client]] of Object.entries(MCP_CLIENTS).entries())
  describe(kind, () => {
    const auth = createAppAuth();
    const openSession = () => client.connect(world.endpoint, { auth });
    const programs = async () => {
      const { body } = await sendRequest(world.api, ["GET", "/api/account"], { token: ada.token });
      return body.mcp_clients as { client_id: string; name: string; last_used: string | null }[];
    };
    const letIn = async () => {
      const callbackUrl = await authorizeApp(world, ada, auth.kept.browserUrl);
      await client.finishSignIn(world.endpoint, auth, callbackUrl);
    };

    it("goes from a 401 through the user's consent to a registered bot", async () => {
      await assert.rejects(openSession, /[Uu]nauthorized/);
      assert.equal(auth.kept.browserUrl?.searchParams.get("resource"), world.endpoint.href);
      await letIn();
      const session = await openSession();
      assert.match(session.instructions() ?? "", /^A ladder for programmable fighter bots\./);
      assert.match(session.instructions() ?? "", /written by other users: .*untrusted data/);
      const whoamiResult = structuredOf(await session.call("whoami"));
      assert.deepEqual(
        [whoamiResult["account_id"], whoamiResult["handle"]],
        [ada.account.id, "ada"],
      );
      const name = `Rex-${at}`;
      const registerResult = structuredOf(await session.call("register_bot", { name }));
      assert.match(String(registerResult["token"]), /^bout_bot_/);
      const stored = await world.api.store.bots.byName(name);
      assert.equal(stored?.ownerId, ada.account.id);
      await session.close();
    });

    it("loses access when revoked, until the user approves the app again", async () => {
      const session = await openSession();
      const [program] = await programs();
      assert.deepEqual([program?.name, typeof program?.last_used], ["Test agent", "string"]);
      const address = `/api/account/mcp/clients/${program?.client_id}` as const;
      const revoked = await sendRequest(world.api, ["DELETE", address], { token: ada.token });
      assert.deepEqual(revoked.body, { revoked: true, oauth_revoked: true });
      auth.kept.browserUrl = null;
      await assert.rejects(session.call("whoami"), /[Uu]nauthorized/);
      await letIn();
      const secondSession = await openSession();
      assert.equal(structuredOf(await secondSession.call("whoami"))["handle"], "ada");
      await Promise.all([session.close(), secondSession.close()]);
      await sendRequest(world.api, ["DELETE", address], { token: ada.token });
    });

    it("is notified if the user denies access", async () => {
      const otherAuth = createAppAuth();
      await assert.rejects(client.connect(world.endpoint, { auth: otherAuth }));
      const callbackUrl = await authorizeApp(world, ada, otherAuth.kept.browserUrl, "deny");
      assert.equal(callbackUrl.get("error"), "access_denied");
      assert.equal((await programs()).length, 0);
    });

    it("needs no browser with an agent key, and validates each result against its schema", async () => {
      const session = await client.connect(world.endpoint, { key: ada.keyResponse });
      const tools = await session.tools();
      assert.equal(tools.length, 18);
      for (const { name } of tools.filter(({ inputSchema }) => !("required" in inputSchema)))
        assert.ok(!("isError" in (await session.call(name))), name);
      for (const [name, args] of [
        ["get_bot", { name: `Rex-${at}` }],
        ["get_docs", { name: "rules" }],
        ["enroll_ladder", { ladder: "public" }],
        ["delete_bot", { name: `rex-${at}` }],
      ] as const)
        assert.ok(!("isError" in (await session.call(name, args))), name);
      const errorResult = await session.call("get_match", { id: "no id" });
      assert.deepEqual(
        [errorResult.isError, structuredOf(errorResult)["code"]],
        [true, "not_found"],
      );
      await session.close();
    });

    it("asks for consent again after an operator signs the account out, and regains access", async () => {
      const eve = await world.addMember(`eve-${at}`);
      const ownAuth = createAppAuth();
      const openWithKey = () => client.connect(world.endpoint, { auth: ownAuth });
      const response = async (person: { token: string }) =>
        client.finishSignIn(
          world.endpoint,
          ownAuth,
          await authorizeApp(world, person, ownAuth.kept.browserUrl),
        );
      await assert.rejects(openWithKey);
      await response(eve);
      const session = await openWithKey();
      world.identityWorldState.clock.advance(2000);
      const url = `/api/admin/accounts/${eve.account.id}/sign-out` as const;
      assert.equal(
        (await sendRequest(world.api, ["POST", url], { token: grace.token })).told,
        "200",
      );
      ownAuth.kept.browserUrl = null;
      await assert.rejects(session.call("whoami"), /[Uu]nauthorized/);
      const { access: token } = await signInMember(
        world.identityWorldState,
        `eve-${at}@example.org`,
      );
      await response({ token });
      const secondSession = await openWithKey();
      assert.equal(structuredOf(await secondSession.call("whoami"))["handle"], `eve-${at}`);
      await Promise.all([session.close(), secondSession.close()]);
    });
  });
