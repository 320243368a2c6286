import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { accountApi } from "#testing/fixtures/account-api.ts";

type Part = Record<string, unknown>;
type Visit = (part: Part, path: string) => void;

const { app } = accountApi({ baseUrl: "https://bout.example.org" });
const contract = (await app.inject("/openapi.json")).json<Part>();

function walk(part: unknown, visitPart: Visit, path = "#"): void {
  if (typeof part !== "object" || part === null) return;
  if (!Array.isArray(part)) visitPart(part as Part, path);
  for (const [key, value] of Object.entries(part))
    if (!/^examples?$/.test(key)) walk(value, visitPart, `${path}/${key}`);
}

describe("integers in the contract", () => {
  const formats = new Map<string, unknown>();
  walk(contract, (part, path) => {
    const { type, const: value, maximum = value ?? Infinity, format } = part;
    if (type === "integer" && Number(maximum) > 0x7fff_ffff) formats.set(path, format);
  });

  it("have the format int64 if they can exceed 31 bits", () => {
    const narrowIntegers = formats.entries().filter(([, format]) => format !== "int64");
    assert.deepEqual([...narrowIntegers], []);
  });

  it("are checked in schemas, parameters and headers", () => {
    const formatPaths = [...formats.keys()];
    for (const pathPart of ["/components/schemas/Match/", "/parameters/", "/headers/Retry-After/"])
      assert.ok(
        formatPaths.some((path) => path.includes(pathPart)),
        pathPart,
      );
  });
});

describe("schemas in the contract", () => {
  const titles: [title: unknown, path: string][] = [];
  walk(contract, (part, path) => {
    const isSchema = part.type === "object" || Array.isArray(part.enum);
    if (isSchema) titles.push([part.title, path]);
  });

  it("have a title if they are objects or enums", () => {
    assert.ok(titles.length > 400);
    assert.deepEqual(
      titles.filter(([title]) => !/^[A-Z][A-Za-z0-9]+$/.test(String(title))),
      [],
    );
  });

  it("have unique titles", () => {
    const byTitle = Map.groupBy(titles, ([title]) => title);
    assert.deepEqual(
      [...byTitle].filter(([, formatPaths]) => formatPaths.length > 1),
      [],
    );
  });
});

describe("bodies in the contract", () => {
  const bodies: [type: string, schema: Part | undefined][] = [];
  walk(contract, ({ content }) => {
    const media = Object.entries((content ?? {}) as Record<string, { schema?: Part }>);
    for (const [type, { schema }] of media) bodies.push([type, schema]);
  });

  it("have a schema for each media type", () => {
    const missing = bodies.filter(([, schema]) => Object.keys(schema ?? {}).length === 0);
    assert.deepEqual(missing, []);
  });

  it("are binary only if they are neither JSON nor text", () => {
    const types = bodies.filter(([, schema]) => schema?.format === "binary").map(([type]) => type);
    const expected = [
      "application/gzip",
      "application/zip",
      "image/jpeg",
      "image/png",
      "image/webp",
    ];
    assert.deepEqual([...new Set(types)].toSorted(), expected);
    const otherBodies = bodies.filter(([type, schema]) => types.includes(type) && !schema?.format);
    assert.deepEqual(otherBodies, []);
  });
});

it("gives every operation a unique operationId", () => {
  const ids = Object.values(contract.paths as Record<string, Record<string, Part>>)
    .flatMap((operations) => Object.values(operations))
    .map(({ operationId }) => operationId);
  assert.ok(ids.length > 100 && ids.every((id) => typeof id === "string"));
  assert.equal(new Set(ids).size, ids.length);
});
