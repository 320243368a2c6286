// The examples of the page about the API, written by hand: each is what its operation takes or
// answers, as /openapi.json says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { ConfigSchema } from "#core/resources/config.ts";
import { accountApi } from "#testing/fixtures/account-api.ts";
import { openContract } from "#testing/fixtures/contract.ts";
import type { ContractOperation } from "#testing/fixtures/contract.ts";
import { blocksIn, pageOf } from "#testing/fixtures/doc-page.ts";
import { strictCheck } from "#testing/fixtures/response-check.ts";
import { parseStrictly } from "#testing/fixtures/strict-json.ts";

const { app } = accountApi();
const contract = openContract((await app.inject("/openapi.json")).json());

type Section = { method: string; path: string; text: string; operation: ContractOperation };

const HEADING = /^### `([A-Z]+) (\S+)`\n(.*?)(?=^##|$(?![^]))/gms;

/** One for each operation that has a heading. */
const sections: Section[] = [...pageOf("api").text.matchAll(HEADING)].flatMap(
  ([, method = "", path = "", text = ""]) => {
    const operation = contract.operation(method, path);
    return operation === null ? [] : [{ method, path, text, operation }];
  },
);

const answerOf = ({ operation }: Section) =>
  [200, 201].map((status) => operation.answer(status)).find((answer) => answer !== null);

type Call = { method: string; path: string; body: unknown };

/** The `curl` of a block that sends a body. */
function callsIn({ text }: Section): Call[] {
  const commands = blocksIn(text).filter(({ language }) => language === "sh");
  return commands.flatMap(({ text: command }) => {
    const body = /-d '(.*?)'/s.exec(command)?.[1];
    const path = /http:\/\/localhost:7777(\/[^\s?]*)/.exec(command)?.[1];
    if (body === undefined || path === undefined) return [];
    const method = /-X ([A-Z]+)/.exec(command)?.[1] ?? "POST";
    return [{ method, path, body: parseStrictly(body) }];
  });
}

const fits = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);

describe("the page about the API", () => {
  it("shows answers that the operation gives", () => {
    let shown = 0;
    for (const section of sections)
      for (const { language, text } of blocksIn(section.text)) {
        const schema = answerOf(section)?.content["application/json"];
        if (language !== "json" || schema === undefined) continue;
        shown += 1;
        const where = `${section.method} ${section.path}`;
        assert.deepEqual(strictCheck(schema)(parseStrictly(text)), [], where);
      }
    assert.ok(shown >= 80, `only ${shown} answers`);
  });

  it("sends bodies that the operation takes, to its own address", () => {
    let sent = 0;
    for (const section of sections)
      for (const { method, path, body } of callsIn(section)) {
        sent += 1;
        const where = `${section.method} ${section.path}`;
        assert.equal(method, section.method, where);
        assert.ok(fits(section.path, path), `${where}: ${path}`);
        assert.ok(section.operation.body !== null, where);
        assert.deepEqual(strictCheck(section.operation.body)(body), [], where);
      }
    assert.ok(sent >= 30, `only ${sent} bodies`);
  });
});

it("the example of a configuration file is of its schema", () => {
  const file = new URL("../../../docs/examples/event.json", import.meta.url);
  const example = parseStrictly(readFileSync(file, "utf8"));
  assert.deepEqual(strictCheck(ConfigSchema)(example), []);
});
