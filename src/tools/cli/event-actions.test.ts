// Operators of events at a terminal, against the ladder's own routes.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { addAgentKey } from "#testing/fixtures/account-api.ts";
import { runAdminHere } from "#testing/fixtures/admin-run.ts";
import { beatKiter, eventApi, runHouse, SPRING, withRex } from "#testing/fixtures/event-api.ts";
import type { EventApi } from "#testing/fixtures/event-api.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import type { Finished } from "#testing/harness/bout-process.ts";

import { conditionWords } from "./event-print.ts";

const FOLDER = temporaryFolder();
const fileOf = (name: string) => join(FOLDER, name);

describe("bout admin events", () => {
  let world: EventApi;
  let events: (...args: string[]) => Promise<Finished>;
  before(async () => {
    world = await eventApi();
    const key = await addAgentKey(world.api, world.api.identity.signIn("grace"));
    const url = await world.api.app.listen({ port: 0, host: "127.0.0.1" });
    events = (...args) => runAdminHere(["events", ...args, "--url", url], key);
    await writeFile(fileOf("spring.json"), JSON.stringify(SPRING));
  });
  after(() => world.api.app.close());

  it("makes an event of a file, and shows it", async () => {
    assert.equal((await events()).out, "There is no event.\n");
    const made = await events("add", fileOf("spring.json"));
    assert.match(made.out, /^event {7}spring\nname {8}Spring\nladder {6}public\n/);
    assert.match(made.out, /\nstate {7}open, disabled, not ready\n/);
    assert.match(made.out, /\nflags {7}official, missing: by-games, .*, by-clean\n/);
    assert.match(made.out, /\nbeat-kiter {3}1 win against kiter {3,}By defeat\n/);
    const { out } = await events();
    assert.match(
      out,
      /^EVENT {3}LADDER {2}STATE .*\nspring {2}public {2}open, disabled, not ready /,
    );
    assert.equal((await events("list", "spring")).out, made.out);
    const lost = await events("list", "lost");
    assert.deepEqual(lost, { code: 1, out: "", err: "bout admin: there is no event lost.\n" });
    const again = await events("add", fileOf("spring.json"));
    assert.match(again.err, /\(409 event_exists\)\n$/);
  });

  it("takes files that are JSON objects alone, and never a reason away", async () => {
    await writeFile(fileOf("list.json"), "[]");
    const list = await events("add", fileOf("list.json"));
    assert.deepEqual([list.code, list.err.endsWith("is no JSON object.\n")], [2, true]);
    await writeFile(fileOf("list.json"), '{"id": "x"\n "name": "y"}');
    const broken = await events("add", fileOf("list.json"));
    assert.match(broken.err, /list\.json is not valid JSON: syntax error at line 2, column 2\.\n$/);
    await writeFile(fileOf("list.json"), "\ufeff[]");
    assert.match((await events("add", fileOf("list.json"))).err, /is no JSON object\.\n$/);
    const none = await events("add", fileOf("none.json"));
    assert.match(none.err, /none\.json cannot be read: ENOENT\.\n$/);
    for (const verb of ["revoke", "restore"])
      assert.match((await events(verb, "spring", "ada", "beat-kiter")).err, /it takes --reason/);
    assert.match((await events("set", "spring")).err, /it takes a flag that says what changes/);
  });

  it("changes texts, window, submission and opponents", async () => {
    await writeFile(fileOf("change.json"), '{"name": "File", "description": "Of the file"}');
    const set = await events("set", "spring", "--file", fileOf("change.json"), "--name", "Flag");
    assert.match(set.out, /\nname {8}Flag\n/);
    assert.equal(world.api.events.byId("spring")?.description, "Of the file");
    await events("set", "spring", "--timezone", "Europe/Berlin", "--flag-mode", "testing");
    const [opens, closes] = [SPRING.opens_at, "2026-01-09T12:00:00+01:00"];
    const moved = await events("schedule", "spring", opens, closes);
    assert.match(moved.out, / to 2026-01-09 11:00 UTC, shown in Europe\/Berlin\n/);
    assert.match((await events("schedule", "spring", "now", closes)).err, /It takes an instant/);
    const given = await events("submission", "spring", "https://example.org/in", "By mail.");
    assert.match(given.out, /\nhand in {5}https:\/\/example\.org\/in\n/);
    assert.match((await events("submission", "spring", "none")).out, /\nhand in {5}-\n/);
    const approved = await events("opponents", "spring", "kiter=v9,champion=v1");
    assert.match(approved.out, /\nopponents {3}kiter v9 \(away\), champion v1 \(away\)\n/);
    assert.match((await events("opponents", "spring", "none")).out, /\nopponents {3}-\n/);
    assert.match((await events("opponents", "spring", "nobody=v1")).err, /It takes none, or BOT=/);
  });

  it("enables what is ready, and disables it", async () => {
    const early = await events("enable", "spring");
    assert.deepEqual([early.code, early.out], [1, ""]);
    assert.match(early.err, /no version of kiter is approved;.*\(409 event_not_ready\)\n$/s);
    await events("opponents", "spring", "kiter=v1,brawler=v1,ts-starter=v1,champion=v1");
    runHouse(world, world.house);
    for (const { id } of SPRING.conditions) world.api.flags.set(`spring ${id}`, "TEST-1");
    assert.match((await events("enable", "spring")).out, /\nstate {7}open\n/);
    assert.match((await events("disable", "spring")).out, /\nstate {7}open, disabled\n/);
    assert.match((await events("enable", "spring")).out, /\nflags {7}testing, all there\n/);
  });

  it("sends a picture as what it is, and takes it away", async () => {
    await writeFile(fileOf("ring.dat"), Buffer.from("89504e470d0a1a0a", "hex"));
    const set = await events("image", "spring", fileOf("ring.dat"), "--alt", "Ein Ring für zwei");
    assert.match(set.out, /\npicture {5}\d+ x \d+: Ein Ring für zwei\n/);
    const usual = await events("image", "spring", fileOf("ring.dat"));
    assert.match(usual.out, /\npicture {5}\d+ x \d+: Flag\n/);
    assert.match((await events("remove-image", "spring")).out, /\npicture {5}-\n/);
    const text = await events("image", "spring", fileOf("spring.json"));
    assert.match(text.err, /spring\.json is no PNG, JPEG or WebP picture\.\n$/);
    await writeFile(fileOf("huge.png"), Buffer.alloc(5 * 1024 * 1024 + 1));
    const huge = await events("image", "spring", fileOf("huge.png"));
    assert.match(huge.err, /huge\.png has more than 5242880 bytes\.\n$/);
    assert.match((await events("image", "spring", FOLDER)).err, /cannot be read/);
  });

  it("shows what somebody earned, revokes it and restores it", async () => {
    const match = await beatKiter(world, await withRex(world));
    const { out } = await events("account", "spring", "ADA");
    assert.match(out, /^account {5}ada\nevent {7}spring\nmembership {2}active\nrequest {5}-\n/);
    assert.match(out, /\nbeat-kiter {3}1 of 1 \(Rex\) {2}2026-01-0\d \d\d:\d\d {2,}-/);
    assert.ok(out.includes(`\nEVIDENCE OF  MATCH\n`), out);
    assert.ok(out.includes(`\nbeat-kiter   ${match.id}\n`), out);
    const award = (verb: string) =>
      events(verb, "spring", "ada", "beat-kiter", "--reason", "trick");
    assert.equal((await award("revoke")).out, "beat-kiter of ada is revoked.\n");
    assert.match((await events("account", "spring", "ada")).out, /\nbeat-kiter .* trick\n/);
    assert.equal((await award("restore")).out, "ada has beat-kiter again.\n");
    const lost = await events("revoke", "spring", "ada", "lost", "--reason", "trick");
    assert.deepEqual([lost.code, lost.err.endsWith("(404)\n")], [1, true]);
  });

  it("says what is missing, and writes it when asked to", async () => {
    const whole = await events("reconcile", "spring");
    assert.equal(whole.out, "earned      1 by the stored matches\nmissing     none\n");
    const second = { ...SPRING, id: "late" };
    await writeFile(fileOf("late.json"), JSON.stringify(second));
    await events("add", fileOf("late.json"));
    const look = await events("reconcile", "late");
    assert.match(look.out, /\nmissing {5}1; --apply writes them\n\nACCOUNT/);
    assert.match(look.out, /\nada {6}beat-kiter {3}2026-01-0\d /);
    const early = await events("reconcile", "late", "--apply");
    assert.match(early.err, /not enabled earns nothing.*\(409 event_closed\)\n$/s);
    const late = world.api.events.byId("late")!;
    world.api.events.put({ ...late, enabled: true, revision: late.revision + 1 });
    const done = await events("reconcile", "late", "--apply");
    assert.match(done.out, /\nmissing {5}1; written now\n/);
    const json = await events("reconcile", "late", "--json");
    assert.deepEqual((JSON.parse(json.out) as { missing_awards: [] }).missing_awards, []);
  });

  it("deletes an event in which nothing was earned", async () => {
    const kept = await events("delete", "late", "--yes");
    assert.match(kept.err, /\(409 event_has_awards\)\n$/);
    await writeFile(fileOf("last.json"), JSON.stringify({ ...SPRING, id: "last" }));
    await events("add", fileOf("last.json"));
    const gone = await events("delete", "last", "--yes", "--reason", "a typo & more");
    assert.equal(gone.out, "The event last is deleted.\n");
    const [entry] = await world.api.store.audit.list({ kind: "event.deleted", limit: 1 });
    assert.equal(entry?.reason, "a typo & more");
  });
});

it("conditions are told in few words", () => {
  const rows = [
    [{ kind: "games", count: 1 }, "1 game"],
    [{ kind: "games", count: 3 }, "3 games"],
    [{ kind: "wins", count: 2, maps: 2 }, "2 wins on 2 maps"],
    [{ kind: "defeat", opponent: "kiter", wins: 3 }, "3 wins against kiter"],
    [{ kind: "streak", wins: 3 }, "3 wins in a row"],
    [{ kind: "clean", games: 2 }, "2 clean games in a row"],
    [{ kind: "score", least: 1500 }, "a score of 1500"],
  ] as const;
  for (const [condition, words] of rows) assert.equal(conditionWords(condition), words);
});
