import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { addAgentKey } from "#testing/fixtures/account-api.ts";
import {
  beatKiter,
  eventApi,
  queueHouseBots,
  SPRING_EVENT,
  addRex,
} from "#testing/fixtures/event-api.ts";
import type { EventApi } from "#testing/fixtures/event-api.ts";
import { runAdminInProcess } from "#testing/fixtures/run-admin-in-process.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import type { ProcessResult } from "#testing/harness/bout-process.ts";

import { describeCondition } from "./event-print.ts";

const FOLDER = temporaryTestFolder();
const fileOf = (name: string) => join(FOLDER, name);

describe("bout admin events", () => {
  let world: EventApi;
  let events: (...args: string[]) => Promise<ProcessResult>;
  before(async () => {
    world = await eventApi();
    const key = await addAgentKey(world.api, world.api.identity.signIn("grace"));
    const url = await world.api.app.listen({ port: 0, host: "127.0.0.1" });
    events = (...args) => runAdminInProcess(["events", ...args, "--url", url], key);
    await writeFile(fileOf("spring.json"), JSON.stringify(SPRING_EVENT));
  });
  after(() => world.api.app.close());

  it("creates an event from a file and shows it", async () => {
    assert.equal((await events()).out, "No events yet.\n");
    const created = await events("add", fileOf("spring.json"));
    assert.match(created.out, /^event {7}spring\nname {8}Spring\nladder {6}public\n/);
    assert.match(created.out, /\nstate {7}open, disabled, not ready\n/);
    assert.match(created.out, /\nflags {7}official, missing: by-games, .*, by-clean\n/);
    assert.match(created.out, /\nbeat-kiter {3}1 win against kiter {3,}By defeat\n/);
    const { out } = await events();
    assert.match(
      out,
      /^EVENT {3}LADDER {2}STATE .*\nspring {2}public {2}open, disabled, not ready /,
    );
    assert.equal((await events("list", "spring")).out, created.out);
    const missing = await events("list", "lost");
    assert.deepEqual(missing, {
      code: 1,
      out: "",
      err: 'bout admin: there is no event lost. To list events, run "bout admin events".\n',
    });
    const secondRun = await events("add", fileOf("spring.json"));
    assert.match(secondRun.err, /\(409 event_exists\)\n$/);
  });

  it("requires a reason, and accepts only files that contain a JSON object", async () => {
    await writeFile(fileOf("list.json"), "[]");
    const list = await events("add", fileOf("list.json"));
    assert.deepEqual([list.code, list.err.endsWith("is not a JSON object.\n")], [2, true]);
    await writeFile(fileOf("list.json"), '{"id": "x"\n "name": "y"}');
    const broken = await events("add", fileOf("list.json"));
    assert.match(broken.err, /list\.json is not valid JSON: syntax error at line 2, column 2\.\n$/);
    await writeFile(fileOf("list.json"), "\ufeff[]");
    assert.match((await events("add", fileOf("list.json"))).err, /is not a JSON object\.\n$/);
    const noAwards = await events("add", fileOf("none.json"));
    assert.match(noAwards.err, /none\.json can't be read: ENOENT\.\n$/);
    for (const verb of ["revoke", "restore"])
      assert.match((await events(verb, "spring", "ada", "beat-kiter")).err, /--reason is required/);
    assert.match((await events("set", "spring")).err, /no changes given\. Pass at least one of/);
  });

  it("changes text, opening times, submission and opponents", async () => {
    await writeFile(fileOf("change.json"), '{"name": "File", "description": "Of the file"}');
    const set = await events("set", "spring", "--file", fileOf("change.json"), "--name", "Flag");
    assert.match(set.out, /\nname {8}Flag\n/);
    assert.equal(world.api.events.byId("spring")?.description, "Of the file");
    await events("set", "spring", "--timezone", "Europe/Berlin", "--flag-mode", "testing");
    const [opens, closes] = [SPRING_EVENT.opens_at, "2026-01-09T12:00:00+01:00"];
    const rescheduled = await events("schedule", "spring", opens, closes);
    assert.match(rescheduled.out, / to 2026-01-09 11:00 UTC, shown in Europe\/Berlin\n/);
    assert.match(
      (await events("schedule", "spring", "now", closes)).err,
      /It takes a time with its UTC offset/,
    );
    const inputText = await events("submission", "spring", "https://example.org/in", "By mail.");
    assert.match(inputText.out, /\nsubmit to {3}https:\/\/example\.org\/in\n/);
    assert.match((await events("submission", "spring", "none")).out, /\nsubmit to {3}-\n/);
    const approvalResult = await events("opponents", "spring", "kiter=v9,champion=v1");
    assert.match(approvalResult.out, /\nopponents {3}kiter v9 \(away\), champion v1 \(away\)\n/);
    assert.match((await events("opponents", "spring", "none")).out, /\nopponents {3}-\n/);
    assert.match(
      (await events("opponents", "spring", "nobody=v1")).err,
      /It takes none, or comma-separated BOT=/,
    );
  });

  it("enables an event that is ready, and disables it", async () => {
    const earlyResult = await events("enable", "spring");
    assert.deepEqual([earlyResult.code, earlyResult.out], [1, ""]);
    assert.match(earlyResult.err, /no version of kiter is approved;.*\(409 event_not_ready\)\n$/s);
    await events("opponents", "spring", "kiter=v1,brawler=v1,ts-starter=v1,champion=v1");
    queueHouseBots(world, world.house);
    for (const { id } of SPRING_EVENT.conditions) world.api.flags.set(`spring ${id}`, "TEST-1");
    assert.match((await events("enable", "spring")).out, /\nstate {7}open\n/);
    assert.match((await events("disable", "spring")).out, /\nstate {7}open, disabled\n/);
    assert.match((await events("enable", "spring")).out, /\nflags {7}testing, complete\n/);
  });

  it("uploads a picture with its actual type, and removes it", async () => {
    await writeFile(fileOf("ring.dat"), Buffer.from("89504e470d0a1a0a", "hex"));
    const set = await events("image", "spring", fileOf("ring.dat"), "--alt", "Ein Ring für zwei");
    assert.match(set.out, /\npicture {5}\d+ x \d+: Ein Ring für zwei\n/);
    const defaults = await events("image", "spring", fileOf("ring.dat"));
    assert.match(defaults.out, /\npicture {5}\d+ x \d+: Flag\n/);
    assert.match((await events("remove-image", "spring")).out, /\npicture {5}-\n/);
    const text = await events("image", "spring", fileOf("spring.json"));
    assert.match(text.err, /spring\.json is not a PNG, JPEG or WebP image\.\n$/);
    await writeFile(fileOf("huge.png"), Buffer.alloc(5 * 1024 * 1024 + 1));
    const huge = await events("image", "spring", fileOf("huge.png"));
    assert.match(huge.err, /huge\.png is larger than 5242880 bytes\.\n$/);
    assert.match((await events("image", "spring", FOLDER)).err, /can't be read/);
  });

  it("shows earned achievements, and revokes and restores them", async () => {
    const match = await beatKiter(world, await addRex(world));
    const { out } = await events("account", "spring", "ADA");
    assert.match(out, /^account {5}ada\nevent {7}spring\nmembership {2}active\nrequest {5}-\n/);
    assert.match(out, /\nbeat-kiter {3}1 of 1 \(Rex\) {2}2026-01-0\d \d\d:\d\d {2,}-/);
    assert.ok(out.includes(`\nEVIDENCE OF  MATCH\n`), out);
    assert.ok(out.includes(`\nbeat-kiter   ${match.id}\n`), out);
    const award = (verb: string) =>
      events(verb, "spring", "ada", "beat-kiter", "--reason", "trick");
    assert.equal((await award("revoke")).out, "beat-kiter of ada is revoked.\n");
    assert.match((await events("account", "spring", "ada")).out, /\nbeat-kiter .* trick\n/);
    assert.equal((await award("restore")).out, "beat-kiter of ada is restored.\n");
    const missing = await events("revoke", "spring", "ada", "lost", "--reason", "trick");
    assert.deepEqual([missing.code, missing.err.endsWith("(404)\n")], [1, true]);
  });

  it("lists missing awards, and grants them with --apply", async () => {
    const progressReport = await events("reconcile", "spring");
    assert.equal(progressReport.out, "earned      1 from stored matches\nmissing     none\n");
    const secondReport = { ...SPRING_EVENT, id: "late" };
    await writeFile(fileOf("late.json"), JSON.stringify(secondReport));
    await events("add", fileOf("late.json"));
    const look = await events("reconcile", "late");
    assert.match(look.out, /\nmissing {5}1; add with --apply\n\nACCOUNT/);
    assert.match(look.out, /\nada {6}beat-kiter {3}2026-01-0\d /);
    const earlyResult = await events("reconcile", "late", "--apply");
    assert.match(earlyResult.err, /disabled event gives no awards.*\(409 event_closed\)\n$/s);
    const lateResult = world.api.events.byId("late")!;
    world.api.events.upsert({ ...lateResult, enabled: true, revision: lateResult.revision + 1 });
    const result = await events("reconcile", "late", "--apply");
    assert.match(result.out, /\nmissing {5}1; added\n/);
    const json = await events("reconcile", "late", "--json");
    assert.deepEqual((JSON.parse(json.out) as { missing_awards: [] }).missing_awards, []);
  });

  it("deletes an event without awards", async () => {
    const remaining = await events("delete", "late", "--yes");
    assert.match(remaining.err, /\(409 event_has_awards\)\n$/);
    await writeFile(fileOf("last.json"), JSON.stringify({ ...SPRING_EVENT, id: "last" }));
    await events("add", fileOf("last.json"));
    const deletion = await events("delete", "last", "--yes", "--reason", "a typo & more");
    assert.equal(deletion.out, "The event last is deleted.\n");
    const [entry] = await world.api.store.audit.list({ kind: "event.deleted", limit: 1 });
    assert.equal(entry?.reason, "a typo & more");
  });
});

it("formats conditions in a few words", () => {
  const rows = [
    [{ kind: "games", count: 1 }, "1 game"],
    [{ kind: "games", count: 3 }, "3 games"],
    [{ kind: "wins", count: 2, maps: 2 }, "2 wins on 2 maps"],
    [{ kind: "defeat", opponent: "kiter", wins: 3 }, "3 wins against kiter"],
    [{ kind: "streak", wins: 3 }, "3 wins in a row"],
    [{ kind: "clean", games: 2 }, "2 clean games in a row"],
    [{ kind: "score", least: 1500 }, "a score of 1500"],
  ] as const;
  for (const [condition, conditionText] of rows)
    assert.equal(describeCondition(condition), conditionText);
});
