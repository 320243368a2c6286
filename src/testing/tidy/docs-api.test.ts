import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { ConfigSchema } from "#core/api/config-file.ts";
import { accountApi } from "#testing/fixtures/account-api.ts";
import { readContract } from "#testing/fixtures/contract.ts";
import type { ContractOperation } from "#testing/fixtures/contract.ts";
import { parseBlocks, readDocPage } from "#testing/fixtures/doc-page.ts";
import { strictCheck } from "#testing/fixtures/response-check.ts";
import { parseJsonWithUniqueKeys } from "#testing/fixtures/strict-json.ts";

const { app } = accountApi();
const contract = readContract((await app.inject("/openapi.json")).json());

type Section = { method: string; path: string; text: string; operation: ContractOperation };

const HEADING = /^### `([A-Z]+) (\S+)`\n(.*?)(?=^##|$(?![^]))/gms;

const sections: Section[] = [...readDocPage("api").text.matchAll(HEADING)].flatMap(
  ([, method = "", path = "", text = ""]) => {
    const operation = contract.operation(method, path);
    return operation === null ? [] : [{ method, path, text, operation }];
  },
);

const successResponse = ({ operation }: Section) =>
  [200, 201].map((status) => operation.responseFor(status)).find((answer) => answer !== null);

type DocumentedCall = { method: string; path: string; body: unknown };

function callsIn({ text }: Section): DocumentedCall[] {
  const commands = parseBlocks(text).filter(({ language }) => language === "sh");
  return commands.flatMap(({ text: command }) => {
    const body = /-d '(.*?)'/s.exec(command)?.[1];
    const path = /http:\/\/localhost:7777(\/[^\s?]*)/.exec(command)?.[1];
    if (body === undefined || path === undefined) return [];
    const method = /-X ([A-Z]+)/.exec(command)?.[1] ?? "POST";
    return [{ method, path, body: parseJsonWithUniqueKeys(body) }];
  });
}

const fits = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);

describe("the API page", () => {
  it("shows responses that match the operation's schema", () => {
    let exampleFields = 0;
    for (const section of sections)
      for (const { language, text } of parseBlocks(section.text)) {
        const schema = successResponse(section)?.content["application/json"];
        if (language !== "json" || schema === undefined) continue;
        exampleFields += 1;
        const where = `${section.method} ${section.path}`;
        assert.deepEqual(strictCheck(schema)(parseJsonWithUniqueKeys(text)), [], where);
      }
    assert.ok(exampleFields >= 80, `only ${exampleFields} responses`);
  });

  it("sends bodies that match the operation's schema to the right path", () => {
    let exampleBody = 0;
    for (const section of sections)
      for (const { method, path, body } of callsIn(section)) {
        exampleBody += 1;
        const where = `${section.method} ${section.path}`;
        assert.equal(method, section.method, where);
        assert.ok(fits(section.path, path), `${where}: ${path}`);
        assert.ok(section.operation.body !== null, where);
        assert.deepEqual(strictCheck(section.operation.body)(body), [], where);
      }
    assert.ok(exampleBody >= 30, `only ${exampleBody} bodies`);
  });
});

it("the example configuration file matches its schema", () => {
  const file = new URL("../../../docs/examples/event.json", import.meta.url);
  const example = parseJsonWithUniqueKeys(readFileSync(file, "utf8"));
  assert.deepEqual(strictCheck(ConfigSchema)(example), []);
});
