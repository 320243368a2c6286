import assert from "node:assert/strict";
import { test } from "node:test";

import { Value } from "typebox/value";

import { cleanProfile, CpuProfileSchema, HIDDEN } from "./clean-profile.ts";

const ROOT = "file:///home/op%20one/bout/";

function cleaned(functionName: string, url: string, more: object = {}) {
  const callFrame = { functionName, scriptId: "7", url, lineNumber: 3, columnNumber: 9 };
  const node = { id: 1, callFrame, hitCount: 2, children: [2], ...more };
  const profile = { nodes: [node], startTime: 1, endTime: 9, samples: [1], timeDeltas: [8] };
  const clean = cleanProfile({ ...profile, ...more } as typeof profile, ROOT);
  assert.ok(Value.Check(CpuProfileSchema, clean));
  return { clean, frame: clean.nodes[0]!.callFrame };
}

test("addresses are shown from the root of the project, or of the package", () => {
  const cases: [url: string, shown: string][] = [
    ["", ""],
    ["node:internal/deps/cjs-module-lexer/lexer", "node:internal/deps/cjs-module-lexer/lexer"],
    ["wasm://wasm/0011aabb", "wasm://wasm/0011aabb"],
    [`${ROOT}src/live/arena/arena.ts`, "src/live/arena/arena.ts"],
    [`${ROOT}src/live/arena/arena.ts?key=hunter2`, "src/live/arena/arena.ts"],
    [`${ROOT}node_modules/@fastify/etag/index.js`, "node_modules/@fastify/etag/index.js"],
    ["/opt/x/node_modules/a/node_modules/b/i.js", "node_modules/b/i.js"],
    ["file:///home/op%20one/other/thing.js", HIDDEN],
    ["/home/op one/bout/src/thing.js", HIDDEN],
    ["C:\\Users\\op\\thing.js", HIDDEN],
    [`${ROOT}../other/thing.js`, HIDDEN],
    [`${ROOT}src/%2e%2e/thing.js`, HIDDEN],
    ["evalmachine.<anonymous>", HIDDEN],
    ["data:text/javascript,let password", HIDDEN],
    [`file:///x/node_modules/../../home/op/.ssh`, HIDDEN],
  ];
  for (const [url, shown] of cases) assert.equal(cleaned("step", url).frame.url, shown, url);
});

test("names are those of source, and what is named at run time is hidden", () => {
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
    assert.equal(cleaned(name, "").frame.functionName, name);
  assert.equal(cleaned("RegExp: ^bout_key_(.*)$", "").frame.functionName, "RegExp");
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
    assert.equal(cleaned(name, "").frame.functionName, HIDDEN, name);
});

test("fields that are not known do not come along", () => {
  const { clean } = cleaned("step", "", {
    deoptReason: "at /home/op",
    extra: { path: "/home/op" },
    positionTicks: [{ line: 1, ticks: 2, note: "/home/op" }],
  });
  assert.ok(!JSON.stringify(clean).includes("/home"));
  assert.deepEqual(clean.nodes[0]!.positionTicks, [{ line: 1, ticks: 2 }]);
  assert.deepEqual([clean.samples, clean.timeDeltas, clean.startTime], [[1], [8], 1]);
});
