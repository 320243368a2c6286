import assert from "node:assert/strict";
import { test } from "node:test";

import { Value } from "typebox/value";

import { cleanProfile, CpuProfileSchema, HIDDEN_TEXT } from "./clean-profile.ts";

const ROOT = "file:///home/op%20one/bout/";

function cleanedFrame(functionName: string, url: string, extraFields: object = {}) {
  const callFrame = { functionName, scriptId: "7", url, lineNumber: 3, columnNumber: 9 };
  const node = { id: 1, callFrame, hitCount: 2, children: [2], ...extraFields };
  const profile = { nodes: [node], startTime: 1, endTime: 9, samples: [1], timeDeltas: [8] };
  const cleanedProfile = cleanProfile({ ...profile, ...extraFields } as typeof profile, ROOT);
  assert.ok(Value.Check(CpuProfileSchema, cleanedProfile));
  return { clean: cleanedProfile, frame: cleanedProfile.nodes[0]!.callFrame };
}

test("shortens URLs to paths relative to the project or package", () => {
  const cases: [url: string, shown: string][] = [
    ["", ""],
    ["node:internal/deps/cjs-module-lexer/lexer", "node:internal/deps/cjs-module-lexer/lexer"],
    ["wasm://wasm/0011aabb", "wasm://wasm/0011aabb"],
    [`${ROOT}src/live/arena/arena.ts`, "src/live/arena/arena.ts"],
    [`${ROOT}src/live/arena/arena.ts?key=hunter2`, "src/live/arena/arena.ts"],
    [`${ROOT}node_modules/@fastify/etag/index.js`, "node_modules/@fastify/etag/index.js"],
    ["/opt/x/node_modules/a/node_modules/b/i.js", "node_modules/b/i.js"],
    ["file:///home/op%20one/other/thing.js", HIDDEN_TEXT],
    ["/home/op one/bout/src/thing.js", HIDDEN_TEXT],
    ["C:\\Users\\op\\thing.js", HIDDEN_TEXT],
    [`${ROOT}../other/thing.js`, HIDDEN_TEXT],
    [`${ROOT}src/%2e%2e/thing.js`, HIDDEN_TEXT],
    ["evalmachine.<anonymous>", HIDDEN_TEXT],
    ["data:text/javascript,let password", HIDDEN_TEXT],
    [`file:///x/node_modules/../../home/op/.ssh`, HIDDEN_TEXT],
  ];
  for (const [url, cleanedName] of cases)
    assert.equal(cleanedFrame("step", url).frame.url, cleanedName, url);
});

test("keeps names that appear in source and hides names created at run time", () => {
  for (const name of [
    "",
    "(root)",
    "(program)",
    "(idle)",
    "(garbage collector)",
    "step",
    "Store.add",
    "get size",
    "#sum",
    "bound run",
    "<anonymous>",
    "int32",
    "Writable.write",
    "$1",
  ])
    assert.equal(cleanedFrame(name, "").frame.functionName, name);
  assert.equal(cleanedFrame("RegExp: ^bout_key_(.*)$", "").frame.functionName, "RegExp");
  for (const name of [
    "/home/op/bout",
    "a secret with spaces",
    "bout_key_8fK2mZ04Lq9Rt7Yx",
    "deadbeefdeadbeef",
    "ada@example.org",
    "postgres://u:p@h/d",
    "x".repeat(41),
    "a.b.c.d.e.f",
    "name\u001b[2J",
  ])
    assert.equal(cleanedFrame(name, "").frame.functionName, HIDDEN_TEXT, name);
});

test("drops unknown fields", () => {
  const { clean: cleanedProfile } = cleanedFrame("step", "", {
    deoptReason: "at /home/op",
    extra: { path: "/home/op" },
    positionTicks: [{ line: 1, ticks: 2, note: "/home/op" }],
  });
  assert.ok(!JSON.stringify(cleanedProfile).includes("/home"));
  assert.deepEqual(cleanedProfile.nodes[0]!.positionTicks, [{ line: 1, ticks: 2 }]);
  assert.deepEqual(
    [cleanedProfile.samples, cleanedProfile.timeDeltas, cleanedProfile.startTime],
    [[1], [8], 1],
  );
});
