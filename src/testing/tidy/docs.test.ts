import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

import { firstTwo } from "#base/util/assert-defined.ts";
import { operationalPolicy } from "#core/api/api-index.ts";
import type { ApiIndex, Versions } from "#core/api/api-index.ts";
import { EventDefinitionSchema } from "#core/api/event.ts";
import { RESOURCE_SCHEMAS } from "#core/api/resource-schemas.ts";
import { CLIENT_MESSAGES, SERVER_MESSAGES, SOCKET_SCHEMAS } from "#core/api/socket-schemas.ts";
import { hasLineOfSight } from "#core/engine/line-of-sight.ts";
import { allGrids, gridOf, mapView } from "#core/engine/maps.ts";
import { randomFromState, nextState } from "#core/engine/random.ts";
import { traceRay } from "#core/engine/ray.ts";
import { RULES } from "#core/engine/rules.ts";
import {
  ATTACKS,
  DAMAGE_SOURCES,
  END_REASONS,
  IDLE_REASONS,
  REFUSALS,
} from "#core/engine/types.ts";
import { REQUEST_REFUSALS, REVEAL_REFUSALS } from "#core/events/refusals.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import { expectedScore } from "#core/rating/score.ts";
import { NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import { RELEASE } from "#server/composition/release.ts";
import { runningVersions } from "#server/composition/versions.ts";
import { readServeOptions, serveHelp } from "#server/configuration/flags.ts";
import {
  PROTOCOL_PAGES,
  headingAnchors,
  blockWithInfo,
  readDocPages,
  svgFiles,
  readJoinedPages,
  internalLinks,
  wordsInBackticks,
  readDocPage,
  tableCells,
} from "#testing/fixtures/doc-page.ts";
import type { DocPage } from "#testing/fixtures/doc-page.ts";
import { strictCheck } from "#testing/fixtures/response-check.ts";
import { parseJsonWithUniqueKeys } from "#testing/fixtures/strict-json.ts";
import { errorsPage } from "#web/docs/errors-page.ts";
import { limitsPage } from "#web/docs/limits-page.ts";

import { readSources } from "./sources.ts";

const pages = readDocPages();
const drawings = svgFiles();
const protocol = readJoinedPages(PROTOCOL_PAGES);
const rules = readJoinedPages(["rules", "rules-values", "rules-statistics", "rules-replays"]);
const ratings = readDocPage("ratings");
const SCHEMAS: Record<string, TSchema> = { ...SOCKET_SCHEMAS, ...RESOURCE_SCHEMAS };

const stripTicks = (text: string): string => text.replaceAll("`", "");

describe("every page", () => {
  it("has a lower-case file name and a title", () => {
    for (const { name, text } of pages) {
      assert.match(name, /^[a-z][a-z-]*$/);
      assert.match(text, /^# \S/, name);
    }
  });

  it("links only to existing pages and headings", () => {
    for (const page of pages)
      for (const link of internalLinks(page)) {
        const [file = "", anchor] = link.split("#");
        if (drawings.includes(file)) continue;
        const target = file === "" ? page : pages.find(({ name }) => `${name}.md` === file);
        assert.ok(target, `${page.name}.md links to ${link}`);
        if (anchor !== undefined)
          assert.ok(headingAnchors(target).includes(anchor), `${page.name}.md links to ${link}`);
      }
  });

  it("shows valid JSON that matches its schema if it names one", () => {
    let namedLinks = 0;
    for (const { name, blocks } of pages)
      for (const { info, text } of blocks.filter(({ language }) => language === "json")) {
        const values = [parseBlock(name, text)].flat();
        if (info === "") continue;
        namedLinks += 1;
        for (const value of values) assert.deepEqual(faultsOf(info, value), [], `${name}: ${info}`);
      }
    assert.ok(namedLinks >= 20, `only ${namedLinks} examples name a schema`);
  });

  it("shows the right default wherever it names a limit, in tables and in sentences", () => {
    let foundValues = 0;
    for (const page of pages)
      for (const [name, value] of [...limitRows(page), ...limitSentences(page)]) {
        foundValues += 1;
        assert.equal(
          value,
          DEFAULT_LIMITS[name as keyof typeof DEFAULT_LIMITS],
          `${page.name}.md: ${name}`,
        );
      }
    assert.ok(foundValues >= 90, `only ${foundValues} limits are named`);
  });
});

function parseBlock(page: string, text: string): unknown {
  try {
    return parseJsonWithUniqueKeys(text);
  } catch (error) {
    throw new Error(`${page}.md shows invalid JSON`, { cause: error });
  }
}

/** Rules may describe an attack in more detail than the schema requires. */
function faultsOf(name: string, value: unknown): string[] {
  const schema = SCHEMAS[name];
  assert.ok(schema, `unknown schema ${name}`);
  if (name !== "hello") return strictCheck(schema)(value);
  return Compile(schema)
    .Errors(value)
    .map(({ message }) => message);
}

type NamedLimit = [name: string, value: number | boolean];

const valueIn = (cell: string) => (/^(?:true|false)$/.test(cell) ? cell === "true" : Number(cell));

function limitRows(page: DocPage): NamedLimit[] {
  const namedLinks = tableCells(page).map(([name, value]): NamedLimit => {
    return [stripTicks(name!), valueIn(value!)];
  });
  return namedLinks.filter(([name]) => name in DEFAULT_LIMITS);
}

function limitSentences({ prose }: DocPage): NamedLimit[] {
  const foundValues = prose.matchAll(/(\d[\d.]*)(?: [a-z]+){0,2} \(`([a-z_]+)`\)/g);
  const namedLinks = [...foundValues].map(([, value, name]): NamedLimit => [name!, Number(value)]);
  return namedLinks.filter(([name]) => name in DEFAULT_LIMITS);
}

describe("the protocol page", () => {
  it("has a heading and an example for every message", () => {
    for (const type of Object.keys({ ...CLIENT_MESSAGES, ...SERVER_MESSAGES })) {
      assert.ok(headingAnchors(protocol).includes(type), type);
      const value: unknown = JSON.parse(blockWithInfo(protocol, type));
      assert.equal(([value].flat()[0] as { type: string }).type, type);
    }
  });

  it("explains every field of every message", () => {
    const words = wordsInBackticks(protocol);
    const schemas = Object.values({ ...CLIENT_MESSAGES, ...SERVER_MESSAGES });
    const fields = schemas.flatMap((schema) => fieldsOf(schema, ["stats"]));
    assert.deepEqual(missing([...fields, "type"], words), []);
    for (const name of ATTACKS)
      assert.deepEqual(missing(Object.keys(RULES.attacks[name]), words), [], name);
  });

  it("shows the server's hello", () => {
    const hello = JSON.parse(blockWithInfo(protocol, "hello")) as Record<string, object>;
    const grid = gridOf((hello.map as { name: string }).name);
    assert.deepEqual(hello.rules, JSON.parse(JSON.stringify(RULES)));
    assert.deepEqual(hello.map, JSON.parse(JSON.stringify(grid && mapView(grid))));
  });

  it("lists every close code with its number", () => {
    const closing = Object.entries(ERROR_CATALOGUE).flatMap(([code, entry]) =>
      "close" in entry ? [`${code} ${entry.close}`] : [],
    );
    const rows = tableCells(protocol).filter(([, close]) => /^4\d{3}$/.test(close!));
    assert.deepEqual(
      rows.map(([code, close]) => `${stripTicks(code!)} ${close}`),
      closing,
    );
  });

  it("states for every queue error whether the bot loses its place in the queue", () => {
    const catalogue = Object.entries(ERROR_CATALOGUE).flatMap(([code, entry]) =>
      "place" in entry ? [`${code} ${entry.place}`] : [],
    );
    const rows = tableCells(protocol).filter(([, , place]) => ["kept", "lost"].includes(place!));
    const codes = rows.map(([code, , place]) => `${stripTicks(code!)} ${place}`);
    const draining = "[server_draining](protocol-receive.md#server_draining) lost";
    assert.deepEqual(codes.toSorted(), [...catalogue, draining].toSorted());
  });
});

/** Returns property names at any depth, without descending into `leafKeys`. */
function fieldsOf(schema: unknown, leafKeys: readonly string[]): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, part]) => {
    if (key !== "properties") return fieldsOf(part, leafKeys);
    const ownKeys = Object.entries(part as object);
    const innerKeys = ownKeys.filter(([name]) => !leafKeys.includes(name));
    return [
      ...ownKeys.map(([name]) => name),
      ...innerKeys.flatMap(([, one]) => fieldsOf(one, leafKeys)),
    ];
  });
}

function missing(fields: readonly string[], words: ReadonlySet<string>): string[] {
  return [...new Set(fields)].filter((field) => !words.has(field));
}

describe("the rules page", () => {
  it("contains every number in the rules", () => {
    const rows = tableCells(rules);
    const numbers = new Map(rows.map(([path, value]) => [stripTicks(path!), Number(value)]));
    const columns = rows.find(([first]) => first === "Attack")?.map(stripTicks) ?? [];
    for (const [name, ...cells] of rows.filter(([first]) => stripTicks(first!) in RULES.attacks))
      for (const [at, cell] of cells.entries())
        numbers.set(`attacks.${stripTicks(name!)}.${columns[at + 1]}`, Number(cell));
    for (const [path, value] of numbersOf(RULES)) assert.equal(numbers.get(path), value, path);
  });

  it("contains every map and its size", () => {
    const rows = tableCells(rules).map(([name, size]) => `${stripTicks(name!)} ${size}`);
    for (const { name, width, height } of allGrids())
      assert.ok(rows.includes(`${name} ${width}×${height}`), name);
  });

  it("draws bolt paths and lines of sight correctly", () => {
    const drawings = rules.blocks.filter(({ info }) => /^(?:sight|bolt) /.test(info));
    assert.equal(drawings.length, 2);
    for (const { info, text } of drawings) assert.equal(text, drawing(info), info);
  });

  it("explains every field in statistics and replays", () => {
    const words = wordsInBackticks(rules);
    const helloFormat = ["rules", "map", "deadlines"];
    for (const name of ["match-stats", "replay-header", "replay-tick", "replay-result"])
      assert.deepEqual(missing(fieldsOf(SOCKET_SCHEMAS[name], helloFormat), words), [], name);
  });

  it("shows the first random draws", () => {
    const first = nextState(1);
    const [one, otherTile] = [first, nextState(first)].map(randomFromState);
    assert.ok(rules.prose.includes(`first three draws are ${one}, ${otherTile} and `));
  });
});

function numbersOf(value: object, path = ""): [path: string, value: number][] {
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    if (typeof part === "number") return [[path + key, part]];
    return typeof part === "object" && part !== null ? numbersOf(part, `${path}${key}.`) : [];
  });
}

/**
 * Draws a map with a bolt's path, or with everything visible from a tile. `info` is the info string
 * of the page's code block.
 */
function drawing(info: string): string {
  const [kind, name, tile, way = ""] = info.split(" ");
  const [x, y] = firstTwo(tile!.split(",").map(Number));
  const rows = gridOf(name!)?.rows ?? [];
  const sign = (plus: string, minus: string) => +way.includes(plus) - +way.includes(minus);
  const heading = { dx: sign("e", "w"), dy: sign("s", "n") };
  const { range, bounces } = RULES.attacks.bolt;
  const flight = kind === "bolt" ? traceRay(rows, { x, y }, heading, range, bounces) : [];
  const mark = (column: number, row: number): string => {
    const char = rows[row]![column]!.replace(/[+\d]/, ".");
    if (column === x && row === y) return "@";
    const crossed = flight.find((at) => at.x === column && at.y === row);
    if (crossed !== undefined) return String(crossed.bounces);
    const isHidden = kind === "sight" && char !== "#" && !hasLineOfSight(rows, x, y, column, row);
    return isHidden ? "?" : char;
  };
  return rows
    .map((row, at) => `${Array.from(row, (_, column) => mark(column, at)).join("")}\n`)
    .join("");
}

describe("the debugging page", () => {
  const words = wordsInBackticks(readDocPage("debugging"));
  const vocabularies = { IDLE_REASONS, REFUSALS, DAMAGE_SOURCES, END_REASONS };
  for (const [name, vocabulary] of Object.entries(vocabularies))
    it(`explains every item in ${name}`, () => {
      assert.deepEqual(missing(vocabulary, words), []);
    });
});

describe("the events page", () => {
  const events = readDocPage("events");
  const { condition: ConditionSchema } =
    EventDefinitionSchema.properties.conditions.items.properties;

  it("shows one condition of each type", () => {
    const rows = tableCells(events).filter(([, example]) => example?.includes("`{"));
    const shown = rows.map(([kind, example]) => {
      const condition = JSON.parse(/`(\{.*?)`/.exec(example!)![1]!) as { kind: string };
      assert.deepEqual(strictCheck(ConditionSchema)(condition), [], kind!);
      assert.equal(stripTicks(kind!), condition.kind);
      return condition.kind;
    });
    const kinds = ConditionSchema.anyOf.map(({ properties }) => properties.kind.const);
    assert.deepEqual(shown, kinds);
  });

  it("lists every error of opponent requests and flags, in order", () => {
    const known = [...REQUEST_REFUSALS, ...REVEAL_REFUSALS].map(([code]) => code as string);
    const codes = tableCells(events).map(([code]) => stripTicks(code!));
    assert.deepEqual(
      codes.filter((code) => known.includes(code)),
      known,
    );
  });
});

describe("the other pages", () => {
  it("list every server flag with its value and default", () => {
    const rows = tableCells(readDocPage("operating-flags")).filter(([flag]) =>
      flag!.startsWith("`--"),
    );
    const documented = rows.map(
      ([flag, fallback]) => `${stripTicks(flag!)}: ${stripTicks(fallback!)}`,
    );
    assert.match(serveHelp(), /^ {2}-h, --help {2}/m);
    assert.deepEqual(documented, [...flagLines(), "--help, -h: -"]);
  });

  it("name only log messages that the server writes", () => {
    const server = readSources().filter(({ path }) =>
      /^src\/(live|server|data|web|adapters)\//.test(path),
    );
    const rows = tableCells(readDocPage("operating-logs"));
    const from = rows.findIndex(([first, second]) => first === "`msg`" && second === "What to do");
    const messages = rows.slice(from).filter(([first]) => first !== "`msg`");
    const namedLinks = messages.flatMap(([cell]) => cell!.split("`, `").map(stripTicks));
    assert.ok(namedLinks.length >= 20, `only ${namedLinks.length}`);
    for (const message of namedLinks) {
      const start = message.replace(/ ?\.{3}$/, "");
      assert.ok(
        server.some(({ text }) => text.includes(`"${start}`)),
        message,
      );
    }
  });

  it("show the current versions", () => {
    const running = { release: RELEASE, ...runningVersions(), schema: NEWEST_SCHEMA };
    const examples = { "api-index": "api-server", changelog: "api-documents" };
    for (const [example, page] of Object.entries(examples)) {
      const { versions } = JSON.parse(blockWithInfo(readDocPage(page), example)) as {
        versions: Versions;
      };
      assert.deepEqual(versions, running, example);
    }
    const { simulator } = JSON.parse(
      blockWithInfo(readDocPage("api-server"), "api-index"),
    ) as ApiIndex;
    assert.equal(
      simulator.python,
      `/download/simulator/bout_sim-${running.engine}-py3-none-any.whl`,
    );
  });

  it("list every server limit", () => {
    const namedLinks = limitRows(readDocPage("limits")).map(([name]) => name);
    assert.deepEqual(namedLinks.toSorted(), Object.keys(DEFAULT_LIMITS).toSorted());
    const index = JSON.parse(blockWithInfo(readDocPage("api-server"), "api-index")) as Record<
      string,
      unknown
    >;
    assert.deepEqual(index.operational_policy, operationalPolicy(DEFAULT_LIMITS, true));
  });

  it("match the output of scripts/write-docs.ts if they are generated", () => {
    assert.equal(readDocPage("limits").text, limitsPage(DEFAULT_LIMITS, true));
    assert.equal(readDocPage("errors").text, errorsPage());
  });

  it("list every house bot", () => {
    const rows = tableCells(ratings).map((row) => row.map(stripTicks).join(" "));
    for (const { name, display, difficulty } of HOUSE_BOTS)
      assert.ok(rows.includes(`${name} ${display} ${difficulty}`), name);
  });

  it("show the same expected scores as the rating code", () => {
    const rows = tableCells(ratings).filter(([, share]) => share?.endsWith(" %"));
    assert.ok(rows.length >= 5);
    for (const [points, share] of rows)
      assert.equal(share, `${(100 * expectedScore(Number(points), 0)).toFixed(1)} %`);
  });
});

function flagLines(): string[] {
  const defaults: object = readServeOptions([], {});
  const shown = [...serveHelp().matchAll(/^ {2}--([\w-]+)((?: <[A-Z]+>)?) {2}/gm)];
  const values = new Map(shown.map(([, name, value]) => [name, value!.replaceAll(/[<>]/g, "")]));
  return Object.entries(defaults).map(([name, fallback]: [string, unknown]) => {
    const isOff = fallback === null || fallback === false;
    const isNone = Array.isArray(fallback) && fallback.length === 0;
    const text = isNone
      ? "-"
      : Array.isArray(fallback)
        ? "all"
        : isOff
          ? "-"
          : `${fallback as string | number}`;
    return `--${name}${values.get(name)}: ${text}`;
  });
}
