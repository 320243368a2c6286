// Requests that race with the deletion of their own account, on a real SQLite store.

import assert from "node:assert/strict";
import { after, it } from "node:test";

import { openStore } from "#server/composition/open-store.ts";
import { sendRequest } from "#testing/fixtures/account-api.ts";
import { fakeMail } from "#testing/fixtures/fake-mail.ts";
import { fakePasswords } from "#testing/fixtures/fake-passwords.ts";
import { beginAuthorization, registerApp } from "#testing/fixtures/identity-apps.ts";
import {
  statusAndCode,
  temporaryIdentityFolder,
  identityWorld,
  TEST_PASSWORD,
} from "#testing/fixtures/identity-world.ts";
import { bearerHeader, testApi } from "#testing/fixtures/test-api.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

const EVE = "eve@example.org";
type Hook = () => Promise<void>;

/**
 * Starts a server with one player. `beforeNextWrite` runs a callback just before the next insert.
 */
async function world() {
  const realStore = await openStore({ data: temporaryIdentityFolder() });
  after(() => realStore.close());
  let beforeWrite: Hook | null = null;
  let findCount = 0;
  let beforeFind: { number: number; run: Hook } | null = null;
  const delayed =
    <Args extends unknown[], Answer>(method: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      const hook = beforeWrite;
      beforeWrite = null;
      await hook?.();
      return method(...args);
    };
  const store = overrideStore(realStore, {
    accounts: {
      find: async (...person) => {
        findCount += 1;
        const due = beforeFind?.number === findCount ? beforeFind : null;
        await due?.run();
        return realStore.accounts.find(...person);
      },
    },
    keys: { add: delayed(realStore.keys.add) },
    bots: { add: delayed(realStore.bots.add) },
    apps: { authorize: delayed(realStore.apps.authorize) },
    versions: { add: delayed(realStore.versions.add) },
    identity: { addSession: delayed(realStore.identity.addSession) },
  });
  const people = await identityWorld({ store });
  const accounts = {
    provider: people.embedded.provider,
    adminEmails: () => new Set<string>(),
    mail: fakeMail(),
    passwords: fakePasswords(),
    sendEmail: () => {},
    recordDeletion: async () => {},
    signUps: people.embedded.signUps,
  };
  const clock = () => people.clock.wall();
  const api = testApi({ anonymous: false }, { store, accounts, clock });
  const { access: token } = await people.addMember(EVE);
  await sendRequest(api, ["GET", "/api/account"], { token });
  await sendRequest(api, ["PUT", "/api/account/handle"], { token, payload: { handle: "eve" } });
  const deleteAccount = () =>
    sendRequest(api, ["DELETE", "/api/account"], { token, payload: { handle: "eve" } });
  const beforeNextWrite = (run: Hook) => void (beforeWrite = run);
  const deleteBeforeWrite = () =>
    beforeNextWrite(async () => assert.equal((await deleteAccount()).told, "200"));
  /**
   * A request looks up its account twice. The second lookup follows the provider's session check.
   */
  const deleteBeforeSecondFind = () => {
    const run = async () => assert.equal((await deleteAccount()).told, "200");
    beforeFind = { number: findCount + 2, run };
  };
  const hooks = {
    beforeNextWrite,
    leaveBeforeWrite: deleteBeforeWrite,
    leaveBeforeSecondFind: deleteBeforeSecondFind,
  };
  return { api, people, real: realStore, token, leave: deleteAccount, ...hooks };
}

const loggedErrors = (log: readonly string[]) => log.filter((line) => /"level":[56]0/.test(line));

it("rejects a sign-in if the account is deleted during the request", async () => {
  const { people, leaveBeforeWrite: deleteBeforeWrite } = await world();
  deleteBeforeWrite();
  const body = { email: EVE, password: TEST_PASSWORD };
  const reply = await people.sendRequest("POST", "/token?grant_type=password", { body });
  assert.deepEqual(statusAndCode(reply), [400, "invalid_credentials"]);
  assert.deepEqual(people.reportedErrors, []);
});

it("returns 401 if the account is deleted while a key or app is being added", async () => {
  for (const kind of ["key", "app"]) {
    const { api, people, token, leaveBeforeWrite: deleteBeforeWrite } = await world();
    const { id } = await beginAuthorization(people, await registerApp(people));
    const query = `authorization_id=${id}`;
    await sendRequest(api, ["GET", `/api/account/mcp/authorization?${query}`], { token });
    deleteBeforeWrite();
    const { told: outcome } =
      kind === "key"
        ? await sendRequest(api, ["POST", "/api/account/keys"], { token, payload: { label: "x" } })
        : await sendRequest(api, ["POST", "/api/account/mcp/authorization"], {
            token,
            payload: { authorization_id: id, action: "approve" },
          });
    assert.equal(outcome, "401 invalid_session", kind);
    assert.deepEqual(loggedErrors(api.log), []);
  }
});

it("adds no agent key if the user signs out everywhere during the request", async () => {
  const { api, people, real: realStore, token, beforeNextWrite } = await world();
  beforeNextWrite(async () => {
    assert.equal((await people.sendRequest("POST", "/logout", { jwt: token })).status, 204);
  });
  const payload = { label: "x" };
  const { told: outcome } = await sendRequest(api, ["POST", "/api/account/keys"], {
    token,
    payload,
  });
  assert.equal(outcome, "401 invalid_session");
  const { accounts } = await realStore.accounts.list({ text: "eve", limit: 1 });
  assert.equal(accounts[0]?.keys, 0);
});

it("doesn't authorize the app if the user signs out everywhere during the request", async () => {
  const { api, people, real: realStore, token, beforeNextWrite } = await world();
  const { id } = await beginAuthorization(people, await registerApp(people));
  const account = await sendRequest(api, ["GET", "/api/account"], { token });
  await sendRequest(api, ["GET", `/api/account/mcp/authorization?authorization_id=${id}`], {
    token,
  });
  beforeNextWrite(async () => {
    assert.equal((await people.sendRequest("POST", "/logout", { jwt: token })).status, 204);
  });
  const payload = { authorization_id: id, action: "approve" };
  const { told: outcome } = await sendRequest(api, ["POST", "/api/account/mcp/authorization"], {
    token,
    payload,
  });
  assert.equal(outcome, "401 invalid_session");
  assert.deepEqual(await realStore.apps.list(String(account.body.id)), []);
  // There is no entry of either kind: the approval was never stored, rather than stored and
  // revoked.
  for (const kind of ["mcp.approved", "mcp.revoked"] as const)
    assert.deepEqual(await realStore.audit.list({ kind, limit: 9 }), []);
  assert.deepEqual(loggedErrors(api.log), []);
});

it("doesn't create a second account if the account is deleted during the request", async () => {
  for (const [method, url, payload] of [
    ["GET", "/api/account", {}],
    ["POST", "/api/account/keys", { label: "x" }],
    ["PUT", "/api/account/handle", { handle: "eve2" }],
  ] as const) {
    const {
      api,
      token,
      real: realStore,
      leaveBeforeSecondFind: deleteBeforeSecondFind,
    } = await world();
    deleteBeforeSecondFind();
    const { told: outcome } = await sendRequest(api, [method, url], {
      token,
      ...(method !== "GET" && { payload }),
    });
    assert.equal(outcome, "401 invalid_session", url);
    const { total } = await realStore.accounts.list({ text: null, limit: 9 });
    assert.equal(total, 0);
    assert.deepEqual(loggedErrors(api.log), []);
  }
});

it("returns 401 to a bot that is deleted with its account while adding a version", async () => {
  const { api, token, leaveBeforeWrite: deleteBeforeWrite } = await world();
  const createResponse = await sendRequest(api, ["POST", "/api/bots"], {
    token,
    payload: { name: "Rex" },
  });
  assert.equal(createResponse.told, "201");
  deleteBeforeWrite();
  const payload = { label: "v1" };
  const bot = String(createResponse.body.token);
  const { told: outcome } = await sendRequest(api, ["POST", "/api/me/versions"], {
    token: bot,
    payload,
  });
  assert.equal(outcome, "401 invalid_token");
  assert.deepEqual(loggedErrors(api.log), []);
});

it("never returns 500 to a request that races with the deletion of its account", async () => {
  const { api, people, token, leave: deleteAccount } = await world();
  const signIn = () =>
    people.sendRequest("POST", "/token?grant_type=password", {
      body: { email: EVE, password: TEST_PASSWORD },
    });
  const request = async (method: "POST" | "PUT", url: string, payload: object) =>
    sendRequest(api, [method, url], { token, payload });
  const mixedRequests = (round: number) => [
    signIn(),
    request("POST", "/api/account/keys", { label: `k${round}` }),
    request("POST", "/api/bots", { name: `Bot${round}` }),
    request("PUT", "/api/account/notifications", { announcements: false }),
  ];
  const replies = await Promise.all([
    ...mixedRequests(1),
    ...mixedRequests(2),
    deleteAccount(),
    ...mixedRequests(3),
    ...mixedRequests(4),
  ]);
  const statuses = replies.map((reply) =>
    "told" in reply ? Number.parseInt(reply.told) : reply.status,
  );
  assert.deepEqual(
    statuses.filter((status) => status >= 500),
    [],
  );
  assert.deepEqual([loggedErrors(api.log), people.reportedErrors], [[], []]);
  const headers = bearerHeader(token);
  assert.equal((await api.app.inject({ url: "/api/account", headers })).statusCode, 401);
});
