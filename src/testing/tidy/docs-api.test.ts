import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { ConfigSchema } from "#core/api/config-file.ts";
import { accountApi } from "#testing/fixtures/account-api.ts";
import { readContract } from "#testing/fixtures/contract.ts";
import type { ContractOperation } from "#testing/fixtures/contract.ts";
import { parseBlocks, readApiPages, readDocPage, tableCells } from "#testing/fixtures/doc-page.ts";
import { strictCheck } from "#testing/fixtures/response-check.ts";
import { parseJsonWithUniqueKeys } from "#testing/fixtures/strict-json.ts";

const { app } = accountApi();
const contractDocument = (await app.inject("/openapi.json")).json<ContractDocument>();
const contract = readContract(contractDocument);

type ContractDocument = {
  paths: Record<string, Record<string, { summary: string; tags: string[] }>>;
  tags: { name: string; externalDocs: { url: string } }[];
};
type Section = {
  page: string;
  method: string;
  path: string;
  text: string;
  operation: ContractOperation;
};

const HEADING = /^## `([A-Z]+) (\S+)`\n(.*?)(?=^## |$(?![^]))/gms;

const pages = readApiPages();
const sections: Section[] = pages.flatMap(({ name: page, text: pageText }) =>
  [...pageText.matchAll(HEADING)].flatMap(([, method = "", path = "", text = ""]) => {
    const operation = contract.operation(method, path);
    return operation === null ? [] : [{ page, method, path, text, operation }];
  }),
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

const pageOfTag = (tag: string): string => `api-${tag.replaceAll(" ", "-")}`;
const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^\w-]+/g, "");

describe("the API pages", () => {
  it("are the tags of the contract", () => {
    const { tags, paths } = contractDocument;
    const tagPages = tags.map(({ name }) => pageOfTag(name));
    assert.deepEqual(tagPages.toSorted(), pages.map(({ name }) => name).toSorted());
    for (const { name, externalDocs } of tags)
      assert.ok(externalDocs.url.endsWith(`/guide/${pageOfTag(name)}`), name);
    for (const [path, operations] of Object.entries(paths))
      for (const [method, operation] of Object.entries(operations)) {
        const heading = `\n## \`${method.toUpperCase()} ${path}\`\n`;
        const holders = pages.filter(({ text }) => text.includes(heading)).map(({ name }) => name);
        assert.deepEqual(operation.tags.map(pageOfTag), holders, heading);
      }
  });

  it("are listed in the overview, with every route and its summary", () => {
    const rows = tableCells(readDocPage("api"));
    const expectedRows = contractDocument.tags.flatMap(({ name }) => {
      const page = pageOfTag(name);
      assert.ok(
        rows.some(([link, tag]) => link?.endsWith(`(${page}.md)`) && tag === `\`${name}\``),
        name,
      );
      const pageSections = sections.filter((section) => section.page === page);
      return pageSections.map(({ method, path }) => {
        const anchor = anchorOf(`${method}-${path}`);
        const { summary } = contractDocument.paths[path]![method.toLowerCase()]!;
        return [`[\`${method} ${path}\`](${page}.md#${anchor})`, summary];
      });
    });
    const start = rows.findIndex(([first]) => first === "Route");
    const routeRows = rows.slice(start).filter(([first]) => first !== "Route");
    assert.deepEqual(routeRows, expectedRows);
  });

  it("are linked from the overview, under the ids that the routes used to have there", async () => {
    const { body } = await app.inject("/guide/api");
    for (const { page, method, path } of sections) {
      const id = anchorOf(`${method}-${path}`);
      const row = `<tr id="${id}">\n<td><a href="/guide/${page}#${id}">`;
      assert.equal(body.split(row).length, 2, id);
      assert.equal(body.split(` id="${id}"`).length, 2, id);
    }
  });

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
