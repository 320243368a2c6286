import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import {
  accountApi,
  addAgentKey,
  addAccountBot,
  signUpAccount,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { runAdminInProcess } from "#testing/fixtures/run-admin-in-process.ts";
import { addTestBot, addMatch, addTestVersion } from "#testing/fixtures/test-api.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import type { ProcessResult } from "#testing/harness/bout-process.ts";

import { ADMIN_ACTIONS } from "./admin-actions.ts";

const FOLDER = temporaryTestFolder();

type World = {
  api: AccountApi;
  url: string;
  key: string;
  admin: (...args: string[]) => Promise<ProcessResult>;
};

/** Ada owns Rex and Old. Old has played. Eve owns no bots. */
async function openWorld(): Promise<World> {
  const api = accountApi();
  const grace = await signUpAccount(api, "grace");
  await makeAdmin(api, grace.account);
  const ada = await signUpAccount(api, "ada");
  await signUpAccount(api, "eve");
  await addAccountBot(api, ada.account, "Rex");
  const old = await addAccountBot(api, ada.account, "Old");
  const opponent = await addTestBot(api, "Foe");
  await addMatch(api, [
    await addTestVersion(api, old, "v1"),
    await addTestVersion(api, opponent, "v1"),
  ]);
  const key = await addAgentKey(api, grace.token);
  const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
  const admin: World["admin"] = (...args) => runAdminInProcess([...args, "--url", url], key);
  return { api, url, key, admin };
}

describe("bout admin", () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.api.app.close());

  it("lists bots with their owners, for all accounts or only one", async () => {
    const { admin } = world;
    const { out } = await admin("bots");
    assert.match(out, /^BOT +OWNER +STATUS +ONLINE\n/);
    assert.match(out, /\nRex +ada +active +no\n/);
    assert.match(out, /\nbots shown: 2; accounts shown: 3, matching: 3, total: 3\n$/);
    assert.match((await admin("bots", "list", "rex")).out, /\nbots shown: 2; accounts shown: 1, /);
    assert.match((await admin("bots", "eve")).out, /^bots shown: 0; accounts shown: 1, /);
  });

  it("suspends and activates a bot, and shows its status in the overview", async () => {
    const { admin } = world;
    assert.deepEqual(await admin("bots", "suspend", "rex", "--reason", "noise\u001b[2J"), {
      code: 0,
      out: "Rex is suspended.\n",
      err: "",
    });
    const { out } = await admin("overview");
    assert.match(
      out,
      /^you {9}grace\nadmins {6}grace\nmatches {5}0 of 320\nonline {6}0\ndisk {8}8\.0 GiB free\n/,
    );
    assert.match(out, /\nRex {2}ada {4}suspended {2}2026-01-05 12:\d\d {2}noise\\u001b\[2J\n/);
    assert.match(
      out,
      /bot\.suspended {2,}grace \(agent key agent\) {2,}Rex {2,}ada {2,}active → suspended {2,}noise/,
      "the audit log names account, key, person and change",
    );
    assert.equal((await admin("bots", "activate", "Rex")).out, "Rex is active.\n");
  });

  it("filters the audit log, and exports the whole log as CSV", async () => {
    const { admin } = world;
    await admin("bots", "suspend", "rex", "--reason", "=1+1");
    await admin("bots", "activate", "rex");
    const { out } = await admin("audit", "--subject", "Rex", "--actor", "grace", "--limit", "2");
    assert.equal(out.match(/ {2}bot\./g)?.length, 2);
    const noOutput = await admin("audit", "--until", "2020-01-01T00:00:00Z");
    assert.equal(noOutput.out, "No matching entries.\n");
    const csv = await admin("audit", "--kind", "bot.suspended", "--format", "csv");
    assert.match(csv.out, /^id,at,kind,.*\r\n.*,grace,.*,'=1\+1,/);
    const json = await admin("audit", "--kind", "bot.suspended", "--format", "json");
    assert.equal(JSON.parse(json.out)[0].reason, "=1+1");
    assert.match((await admin("audit", "--format", "xml")).err, /csv or json|csv, json/);
  });

  it("prints a ladder's members and standings", async () => {
    const { admin } = world;
    assert.match((await admin("ladders", "members", "public")).out, /no members yet/);
    assert.match((await admin("ladders", "standings", "public")).out, /No bot is ranked yet/);
    assert.match(
      (await admin("ladders", "members", "public", "--format", "csv")).out,
      /^account_id,handle,membership,since,reason\r\n$/,
    );
    assert.equal((await admin("events", "standings", "lost")).code, 1);
  });

  it("asks for confirmation before irreversible actions", async () => {
    const { api, admin, url, key } = world;
    const variables = { BOUT_ADMIN_KEY: key };
    const ban = ["admin", "bots", "ban", "Rex", "--url", url];
    assert.deepEqual(await runBout(ban, "Rex\n", FOLDER, variables), {
      code: 2,
      out: "",
      err: "bout admin: Bans a bot permanently: Rex. To confirm, add --yes.\n",
    });
    assert.equal((await api.store.bots.byName("Rex"))?.status, "active");
    assert.equal((await admin("bots", "ban", "Rex", "--yes")).out, "Rex is banned.\n");
    const refusal = await admin("bots", "activate", "Rex");
    assert.equal(refusal.code, 1);
    assert.match(refusal.err, /^bout admin: .+ \(409 bot_moderated\)\n$/);
  });

  it("lists and searches accounts", async () => {
    const { admin } = world;
    const allRows = await admin("accounts");
    assert.deepEqual(
      allRows.out
        .split("\n")
        .slice(0, 4)
        .map((line) => line.split(/\s+/)[0]),
      ["ACCOUNT", "eve", "ada", "grace"],
    );
    assert.match(allRows.out, /\n3 shown, 3 matching, 3 in total\n$/);
    const foundRows = await admin("accounts", "list", "old", "--limit", "1");
    assert.match(foundRows.out, /\nada {2,}player .* Old\n\n1 shown, 1 matching, 3 in total\n$/);
    assert.equal((await admin("accounts", "nobody")).out, "0 shown, 0 matching, 3 in total\n");
  });

  it("sets roles and bot limits, and lists admins", async () => {
    const { admin } = world;
    assert.equal(
      (await admin("accounts", "role", "eve", "admin")).out,
      "eve has the role admin.\n",
    );
    assert.equal((await admin("admins")).out, "ADMIN  BY\ngrace  role\neve    role\n");
    const ownRow = await admin("accounts", "role", "grace", "player");
    assert.match(ownRow.err, /\(409 own_role\)\n$/);
    const restored = await admin("accounts", "role", "eve", "player", "--reason", "done");
    assert.equal(restored.out, "eve has the role player.\n");
    assert.match((await admin("accounts", "max-bots", "eve", "9")).out, /\nbots {8}-; max 9\n/);
    const defaults = await admin("accounts", "max-bots", "eve", "default");
    assert.match(defaults.out, /\nbots {8}-; max 5\n/);
  });

  it("bans, signs out and deletes accounts", async () => {
    const { api, admin } = world;
    const banResult = await admin("accounts", "ban", "ada", "--reason", "threats");
    assert.match(banResult.out, /^account {5}ada\n.*\nbanned {6}2026-01-05 12:\d\d UTC\n/s);
    assert.match((await admin("accounts", "unban", "ada")).out, /\nbanned {6}no\n/);
    assert.match((await admin("accounts", "sign-out", "ada", "--yes")).out, /^account {5}ada\n/);
    const deletion = await admin("accounts", "delete", "ada", "--yes", "--reason", "fraud & more");
    assert.equal(deletion.out, "ada is deleted. Banned bots: Rex, Old.\n");
    const [entry] = await api.store.audit.list({ kind: "account.deleted", limit: 1 });
    assert.equal(entry?.reason, "fraud & more");
    const noAccount = await admin("accounts", "ban", "ada");
    assert.deepEqual([noAccount.code, noAccount.out], [1, ""]);
    assert.match(noAccount.err, /^bout admin: .+ \(404\)\n$/);
  });

  it("creates owners and prints their keys once", async () => {
    const { admin } = world;
    const created = await admin("owners", "add", "Team Ö", "3");
    assert.match(created.out, /^Team Ö may have up to 3 bots\. .*\nbout_owner_[\w-]+\n$/);
    const { out } = await admin("owners");
    assert.match(
      out,
      /^OWNER {3}BOT LIMIT {2}SINCE \(UTC\) {7}BOTS\nTeam Ö {2}3 {10}2026.* {2}-\n$/,
    );
    assert.ok(!out.includes("bout_owner_"));
  });

  it("creates a ladder, changes it, admits players, and deletes it", async () => {
    const { api, admin } = world;
    const window = ["--opens", "2026-02-01T18:00:00Z", "--closes", "2026-02-01T21:00:00Z"];
    const created = await admin(
      "ladders",
      "add",
      "cup",
      "Night cup",
      "--access",
      "invite",
      ...window,
    );
    assert.match(
      created.out,
      /^ladder {6}cup\nname {8}Night cup\naccess {6}invite\nstate {7}upcoming\n/,
    );
    const { out } = await admin("ladders");
    assert.match(out, /\ncup {5}invite {2}upcoming {2}2026-02-01 18:00 to 2026-02-01 21:00 {2}0 /);
    const set = await admin("ladders", "set", "cup", "--visible", "no", "--name", "Cup");
    assert.match(set.out, /\nname {8}Cup\n.*\nstate {7}upcoming, hidden\n/s);
    const minimal = await admin("ladders", "set", "cup", "--access", "password");
    assert.match(
      minimal.err,
      /password is missing: .* or set BOUT_LADDER_PASSWORD for bout admin\./,
    );
    process.env.BOUT_LADDER_PASSWORD = "open sesame";
    const passwordLadder = await admin("ladders", "set", "cup", "--access", "password");
    delete process.env.BOUT_LADDER_PASSWORD;
    assert.match(passwordLadder.out, /\naccess {6}password, password set\n/);
    const played = await admin("ladders", "play", "cup", "--maps", "keep,cage", "--house", "none");
    assert.match(played.out, /\nmaps {8}keep, cage\nhouse {7}-\n/);
    const rescheduled = await admin("ladders", "schedule", "cup", "none", "none");
    assert.match(rescheduled.out, /\nwindow {6}- to - UTC\n/);
    const invited = await admin("ladders", "invite", "cup");
    assert.match(
      invited.out,
      /^Invitation .* shown only once:\n(bout_invite_[\w-]+)\nhttp.*\/ladders\?ladder=cup#invite=\1\n$/,
    );
    const invitationLinks = await admin("ladders", "invite", "cup", "--count", "2");
    assert.match(
      invitationLinks.out,
      /^(?:http\S+\/ladders\?ladder=cup#invite=bout_invite_[\w-]+\n){2}$/,
    );
    const bothFlags = await admin("ladders", "invite", "cup", "grace", "--count", "2");
    assert.match(bothFlags.err, /can't be made with --count/);
    const [invitation] = await api.store.invitations.list("cup");
    const restored = await admin("ladders", "uninvite", "cup", invitation!.id);
    assert.equal(restored.out, "The invitation is revoked.\n");
    assert.match((await admin("ladders", "show", "cup")).out, / anybody {2}.* revoked\n/);
    const noAccount = await admin("ladders", "approve", "cup", "nemo");
    assert.match(
      noAccount.err,
      /There is no account nemo\. To list accounts, run "bout admin accounts"/,
    );
    assert.equal(
      (await admin("ladders", "approve", "cup", "grace")).err,
      'bout admin: grace is neither a member of the ladder cup nor waiting for approval. To list both, run "bout admin ladders show cup". (404)\n',
    );
    assert.match((await admin("ladders", "revoke", "cup", "eve")).err, /--reason is required/);
    assert.equal(
      (await admin("ladders", "delete", "cup", "--yes")).out,
      "The ladder cup is deleted.\n",
    );
  });

  it("prints the raw response with --json", async () => {
    const { out } = await world.admin("admins", "--json");
    assert.deepEqual(JSON.parse(out), [{ handle: "grace", configured: false }]);
  });

  it("reads the key from a file, and refuses files that other users can read", async () => {
    const { url, key } = world;
    const file = join(FOLDER, "key");
    const admins = (...more: string[]) => runAdminInProcess(["admins", "--url", url, ...more], "");
    await writeFile(file, `${key}\n`, { mode: 0o600 });
    assert.equal((await admins("--key-file", file)).code, 0);
    for (const mode of [0o640, 0o604]) {
      await chmod(file, mode);
      const { code, err } = await admins("--key-file", file);
      assert.deepEqual([code, err.includes(key)], [2, false]);
      assert.match(err, /^bout admin: other users can read .*\. Run: chmod 600 /);
    }
    assert.match((await admins("--key-file", join(FOLDER, "none"))).err, /can't be read: ENOENT\./);
    assert.match((await admins()).err, /an admin's agent key is required/);
  });

  it("rejects an invalid key without printing it", async () => {
    const { url } = world;
    const output = (key: string, address = url) =>
      runAdminInProcess(["admins", "--url", address], key);
    const unknown = await output("bout_key_unknown");
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /\(401 invalid_session\)\n$/);
    const oddAnswer = await output("two words");
    assert.deepEqual(
      [oddAnswer.code, oddAnswer.err],
      [2, "bout admin: BOUT_ADMIN_KEY contains no valid key.\n"],
    );
    const clear = await output("bout_key_unknown", "http://ladder.example");
    assert.equal(clear.code, 2);
    assert.match(clear.err, /would receive the key unencrypted\. Use https/);
    assert.ok(![unknown, oddAnswer, clear].some(({ err }) => err.includes("bout_key_unknown")));
  });
});

const ODD_ANSWERS = [
  [
    "a redirection",
    302,
    { location: "http://127.0.0.1:1/" },
    "",
    2,
    /responded with status 302 and no Bout error/,
  ],
  ["a page", 200, {}, "<html>", 2, /responded with status 200 and no Bout error/],
  ["a proxy's error", 502, {}, "Bad gateway", 2, /responded with status 502 and no Bout error/],
  ["a newer server", 200, {}, '[{"name":"\\u0007"}]', 0, /the server runs another release/],
] as const;

for (const [what, status, headers, body, code, message] of ODD_ANSWERS)
  it(`bout admin rejects ${what}`, async (t) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const output = await runAdminInProcess(
      ["admins", "--url", `http://localhost:${port}`],
      "bout_key_x",
    );
    assert.equal(output.code, code, output.err);
    assert.match(output.err, message);
    assert.ok(!output.out.includes("\u0007"));
  });

it("bout admin stops reading a response larger than 32 MiB", async (t) => {
  const server = createServer((_request, response) => {
    const bodyChunk = Buffer.alloc(1024 * 1024, " ");
    const more = () => {
      while (!response.destroyed && response.write(bodyChunk));
    };
    response.on("drain", more);
    more();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const { code, err } = await runAdminInProcess(
    ["admins", "--url", `http://localhost:${port}`],
    "bout_key_x",
  );
  assert.equal(code, 2);
  assert.match(err, /sent more than 32 MiB/);
});

it("bout admin reports a server that can't be reached", async () => {
  const { code, err } = await runAdminInProcess(
    ["admins", "--url", "http://127.0.0.1:65535"],
    "bout_key_x",
  );
  assert.equal(code, 2);
  assert.equal(
    err,
    "bout admin: http://127.0.0.1:65535 can't be reached: ECONNREFUSED. To use another address, pass --url or set BOUT_URL.\n",
  );
});

it("bout admin uses the server in BOUT_URL, which --url overrides", async (t) => {
  t.after(() => delete process.env.BOUT_URL);
  process.env.BOUT_URL = "http://127.0.0.1:65534";
  const output = await runAdminInProcess(["admins"], "bout_key_x");
  assert.match(output.err, /127\.0\.0\.1:65534 can't be reached/);
  const flaggedOutput = await runAdminInProcess(
    ["admins", "--url", "http://127.0.0.1:65535"],
    "bout_key_x",
  );
  assert.match(flaggedOutput.err, /127\.0\.0\.1:65535 can't be reached/);
});

it("bout admin asks for confirmation only before irreversible actions", () => {
  const finalOutput = ADMIN_ACTIONS.filter(({ warning }) => warning !== null);
  assert.deepEqual(
    finalOutput.map(({ group, name, warning }) => [
      group,
      name,
      warning!({ bot: "x", account: "x", ladder: "x", event: "x", id: "x" }).target,
    ]),
    [
      ["bots", "ban", "x"],
      ["accounts", "sign-out", "x"],
      ["accounts", "delete", "x"],
      ["ladders", "delete", "x"],
      ["events", "delete", "x"],
      ["announcements", "publish", "x"],
      ["announcements", "delete", "x"],
    ],
  );
});

it("bout admin has a command for every operator route", async () => {
  const api = accountApi();
  const answer = await api.app.inject("/openapi.json");
  const { paths } = answer.json<{ paths: Record<string, Record<string, object>> }>();
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith("/api/admin/")
      ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(11)}`)
      : [],
  );
  const given = {
    bot: "{name}",
    account: "{account}",
    role: "admin",
    most: 1,
    name: "x",
    ladder: "{id}",
    invitation: "{invitation}",
    event: "{event}",
    preset: "{id}",
    id: "{id}",
    scope: "{scope}",
    achievement: "{id}",
    reason: "x",
  };
  const calls = ADMIN_ACTIONS.flatMap(({ request, flags }) => {
    const has = (flag: string) => flags.some(({ name }) => name === flag);
    return [
      request(given),
      ...(has("format") ? [request({ ...given, format: "csv" })] : []),
      ...(has("count") ? [request({ ...given, account: undefined, count: 2 })] : []),
    ];
  });
  const spoken = calls.map(
    ({ method, path }) => `${method} ${decodeURIComponent(path).replace(/\?.*$/, "")}`,
  );
  // Some routes do two things and have a command for each.
  assert.deepEqual([...new Set(spoken)].toSorted(), routes.toSorted());
  await api.app.close();
});
