// Requests of an account that is deleted while they are handled, over a real SQLite store.

import assert from "node:assert/strict";
import { after, it } from "node:test";

import { openStore } from "#server/composition/open-store.ts";
import { ask } from "#testing/fixtures/account-api.ts";
import { fakeMail } from "#testing/fixtures/fake-mail.ts";
import { fakePasswords } from "#testing/fixtures/fake-passwords.ts";
import { begin, register } from "#testing/fixtures/identity-programs.ts";
import { codeIn, freshFolder, identityWorld, PASSWORD } from "#testing/fixtures/identity-world.ts";
import { bearer, testApi } from "#testing/fixtures/test-api.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";

const EVE = "eve@example.org";
type Hook = () => Promise<void>;

/** A server with one player. `beforeWrite` runs just before the next write that adds a row. */
async function world() {
  const real = await openStore({ data: freshFolder() });
  after(() => real.close());
  let beforeWrite: Hook | null = null;
  let finds = 0;
  let beforeFind: { number: number; run: Hook } | null = null;
  const delayed =
    <Args extends unknown[], Answer>(method: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      const hook = beforeWrite;
      beforeWrite = null;
      await hook?.();
      return method(...args);
    };
  const store = changedStore(real, {
    accounts: {
      find: async (...person) => {
        finds += 1;
        const due = beforeFind?.number === finds ? beforeFind : null;
        await due?.run();
        return real.accounts.find(...person);
      },
    },
    keys: { add: delayed(real.keys.add) },
    bots: { add: delayed(real.bots.add) },
    programs: { allow: delayed(real.programs.allow) },
    versions: { add: delayed(real.versions.add) },
    identity: { addSession: delayed(real.identity.addSession) },
  });
  const people = await identityWorld({ store });
  const accounts = {
    provider: people.embedded.provider,
    adminEmails: () => new Set<string>(),
    mail: fakeMail(),
    passwords: fakePasswords(),
    sendLetter: () => {},
    noteLeft: async () => {},
    signUps: people.embedded.signUps,
  };
  const clock = () => people.clock.wall();
  const api = testApi({ anonymous: false }, { store, accounts, clock });
  const { access: token } = await people.member(EVE);
  await ask(api, ["GET", "/api/account"], { token });
  await ask(api, ["PUT", "/api/account/handle"], { token, payload: { handle: "eve" } });
  const leave = () => ask(api, ["DELETE", "/api/account"], { token, payload: { handle: "eve" } });
  const beforeNextWrite = (run: Hook) => void (beforeWrite = run);
  const leaveBeforeWrite = () =>
    beforeNextWrite(async () => assert.equal((await leave()).told, "200"));
  /** The second lookup of a request comes after the provider was asked for the session. */
  const leaveBeforeSecondFind = () => {
    const run = async () => assert.equal((await leave()).told, "200");
    beforeFind = { number: finds + 2, run };
  };
  const hooks = { beforeNextWrite, leaveBeforeWrite, leaveBeforeSecondFind };
  return { api, people, real, token, leave, ...hooks };
}

const faultsIn = (log: readonly string[]) => log.filter((line) => /"level":[56]0/.test(line));

it("refuses a sign-in of an account that is deleted meanwhile", async () => {
  const { people, leaveBeforeWrite } = await world();
  leaveBeforeWrite();
  const body = { email: EVE, password: PASSWORD };
  const reply = await people.ask("POST", "/token?grant_type=password", { body });
  assert.deepEqual(codeIn(reply), [400, "invalid_credentials"]);
  assert.deepEqual(people.faults, []);
});

it("answers 401 when the account is deleted while a key or an app is added", async () => {
  for (const which of ["key", "app"]) {
    const { api, people, token, leaveBeforeWrite } = await world();
    const { id } = await begin(people, await register(people));
    const query = `authorization_id=${id}`;
    await ask(api, ["GET", `/api/account/mcp/authorization?${query}`], { token });
    leaveBeforeWrite();
    const { told } =
      which === "key"
        ? await ask(api, ["POST", "/api/account/keys"], { token, payload: { label: "x" } })
        : await ask(api, ["POST", "/api/account/mcp/authorization"], {
            token,
            payload: { authorization_id: id, action: "approve" },
          });
    assert.equal(told, "401 invalid_session", which);
    assert.deepEqual(faultsIn(api.log), []);
  }
});

it("adds no agent key for a session that signs out everywhere meanwhile", async () => {
  const { api, people, real, token, beforeNextWrite } = await world();
  beforeNextWrite(async () => {
    assert.equal((await people.ask("POST", "/logout", { jwt: token })).status, 204);
  });
  const payload = { label: "x" };
  const { told } = await ask(api, ["POST", "/api/account/keys"], { token, payload });
  assert.equal(told, "401 invalid_session");
  const { accounts } = await real.accounts.list({ text: "eve", limit: 1 });
  assert.equal(accounts[0]?.keys, 0);
});

it("authorizes no app for a session that signs out everywhere meanwhile", async () => {
  const { api, people, real, token, beforeNextWrite } = await world();
  const { id } = await begin(people, await register(people));
  const account = await ask(api, ["GET", "/api/account"], { token });
  await ask(api, ["GET", `/api/account/mcp/authorization?authorization_id=${id}`], { token });
  beforeNextWrite(async () => {
    assert.equal((await people.ask("POST", "/logout", { jwt: token })).status, 204);
  });
  const payload = { authorization_id: id, action: "approve" };
  const { told } = await ask(api, ["POST", "/api/account/mcp/authorization"], { token, payload });
  assert.equal(told, "401 invalid_session");
  assert.deepEqual(await real.programs.list(String(account.body.id)), []);
  // Neither entry: the approval was never stored, rather than stored and then revoked.
  for (const kind of ["mcp.approved", "mcp.revoked"] as const)
    assert.deepEqual(await real.audit.list({ kind, limit: 9 }), []);
  assert.deepEqual(faultsIn(api.log), []);
});

it("makes no second account for a request whose account is deleted meanwhile", async () => {
  for (const [method, url, payload] of [
    ["GET", "/api/account", {}],
    ["POST", "/api/account/keys", { label: "x" }],
    ["PUT", "/api/account/handle", { handle: "eve2" }],
  ] as const) {
    const { api, token, real, leaveBeforeSecondFind } = await world();
    leaveBeforeSecondFind();
    const { told } = await ask(api, [method, url], {
      token,
      ...(method !== "GET" && { payload }),
    });
    assert.equal(told, "401 invalid_session", url);
    const { total } = await real.accounts.list({ text: null, limit: 9 });
    assert.equal(total, 0);
    assert.deepEqual(faultsIn(api.log), []);
  }
});

it("answers 401 to a bot that is deleted with its account while it adds a version", async () => {
  const { api, token, leaveBeforeWrite } = await world();
  const made = await ask(api, ["POST", "/api/bots"], { token, payload: { name: "Rex" } });
  assert.equal(made.told, "201");
  leaveBeforeWrite();
  const payload = { label: "v1" };
  const bot = String(made.body.token);
  const { told } = await ask(api, ["POST", "/api/me/versions"], { token: bot, payload });
  assert.equal(told, "401 invalid_token");
  assert.deepEqual(faultsIn(api.log), []);
});

it("answers no 500 to requests that race with the deletion of their account", async () => {
  const { api, people, token, leave } = await world();
  const signIn = () =>
    people.ask("POST", "/token?grant_type=password", { body: { email: EVE, password: PASSWORD } });
  const request = async (method: "POST" | "PUT", url: string, payload: object) =>
    ask(api, [method, url], { token, payload });
  const some = (round: number) => [
    signIn(),
    request("POST", "/api/account/keys", { label: `k${round}` }),
    request("POST", "/api/bots", { name: `Bot${round}` }),
    request("PUT", "/api/account/notifications", { announcements: false }),
  ];
  const replies = await Promise.all([...some(1), ...some(2), leave(), ...some(3), ...some(4)]);
  const statuses = replies.map((reply) =>
    "told" in reply ? Number.parseInt(reply.told) : reply.status,
  );
  assert.deepEqual(
    statuses.filter((status) => status >= 500),
    [],
  );
  assert.deepEqual([faultsIn(api.log), people.faults], [[], []]);
  const headers = bearer(token);
  assert.equal((await api.app.inject({ url: "/api/account", headers })).statusCode, 401);
});
