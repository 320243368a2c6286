import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

import { bothOf } from "#base/units/sure.ts";
import { allGrids, gridOf, mapView } from "#core/engine/maps.ts";
import { drawnFrom, nextState } from "#core/engine/random.ts";
import { flyRay } from "#core/engine/ray.ts";
import { RULES } from "#core/engine/rules.ts";
import { isVisible } from "#core/engine/sight.ts";
import {
  ATTACKS,
  DAMAGE_SOURCES,
  END_REASONS,
  IDLE_REASONS,
  REFUSALS,
} from "#core/engine/types.ts";
import { REQUEST_REFUSALS, REVEAL_REFUSALS } from "#core/events/refusal.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import { expectedScore } from "#core/rating/score.ts";
import { policyOf } from "#core/resources/api.ts";
import type { ApiIndex, Versions } from "#core/resources/api.ts";
import { EventDefinitionSchema } from "#core/resources/event.ts";
import { RESOURCE_SCHEMAS } from "#core/resources/resources.ts";
import {
  CLIENT_MESSAGES,
  SERVER_MESSAGES,
  SOCKET_SCHEMAS,
} from "#core/resources/socket-schemas.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import { LIMITS } from "#core/words/limits.ts";
import { NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import { RELEASE } from "#server/composition/release.ts";
import { playedVersions } from "#server/composition/versions.ts";
import { readServeOptions, serveHelp } from "#server/configuration/flags.ts";
import {
  PROTOCOL_PAGES,
  anchorsOf,
  blockOf,
  docPages,
  drawingFiles,
  joinedPage,
  linksOf,
  markedWords,
  pageOf,
  rowsOf,
} from "#testing/fixtures/doc-page.ts";
import type { DocPage } from "#testing/fixtures/doc-page.ts";
import { strictCheck } from "#testing/fixtures/response-check.ts";
import { parseStrictly } from "#testing/fixtures/strict-json.ts";
import { errorsPage } from "#web/docs/errors-page.ts";
import { limitsPage } from "#web/docs/limits-page.ts";

import { readSources } from "./sources.ts";

const pages = docPages();
const drawings = drawingFiles();
const protocol = joinedPage(PROTOCOL_PAGES);
const rules = joinedPage(["rules", "rules-values", "rules-statistics", "rules-replays"]);
const ratings = pageOf("ratings");
const SCHEMAS: Record<string, TSchema> = { ...SOCKET_SCHEMAS, ...RESOURCE_SCHEMAS };

/** Defaults as a table shows them. */
const inTicks = (text: string): string => text.replaceAll("`", "");

describe("every page", () => {
  it("has a lower-case name and a title", () => {
    for (const { name, text } of pages) {
      assert.match(name, /^[a-z][a-z-]*$/);
      assert.match(text, /^# \S/, name);
    }
  });

  it("links to pages and headings that exist", () => {
    for (const page of pages)
      for (const link of linksOf(page)) {
        const [file = "", anchor] = link.split("#");
        if (drawings.includes(file)) continue;
        const target = file === "" ? page : pages.find(({ name }) => `${name}.md` === file);
        assert.ok(target, `${page.name}.md links to ${link}`);
        if (anchor !== undefined)
          assert.ok(anchorsOf(target).includes(anchor), `${page.name}.md links to ${link}`);
      }
  });

  it("shows JSON that is JSON, and of its schema where one is named", () => {
    let named = 0;
    for (const { name, blocks } of pages)
      for (const { info, text } of blocks.filter(({ language }) => language === "json")) {
        const values = [parsedBlock(name, text)].flat();
        if (info === "") continue;
        named += 1;
        for (const value of values) assert.deepEqual(faultsOf(info, value), [], `${name}: ${info}`);
      }
    assert.ok(named >= 20, `only ${named} examples name a schema`);
  });

  it("names limits with their defaults, in tables and in sentences", () => {
    let found = 0;
    for (const page of pages)
      for (const [name, value] of [...limitRows(page), ...limitSentences(page)]) {
        found += 1;
        assert.equal(value, LIMITS[name as keyof typeof LIMITS], `${page.name}.md: ${name}`);
      }
    assert.ok(found >= 90, `only ${found} limits are named`);
  });
});

function parsedBlock(page: string, text: string): unknown {
  try {
    return parseStrictly(text);
  } catch (error) {
    throw new Error(`${page}.md shows JSON that is not right`, { cause: error });
  }
}

/** Rules may say more about an attack than their schema requires. */
function faultsOf(name: string, value: unknown): string[] {
  const schema = SCHEMAS[name];
  assert.ok(schema, `there is no schema ${name}`);
  if (name !== "hello") return strictCheck(schema)(value);
  return Compile(schema)
    .Errors(value)
    .map(({ message }) => message);
}

type NamedLimit = [name: string, value: number | boolean];

const valueIn = (cell: string) => (/^(?:true|false)$/.test(cell) ? cell === "true" : Number(cell));

function limitRows(page: DocPage): NamedLimit[] {
  const named = rowsOf(page).map(([name, value]): NamedLimit => {
    return [inTicks(name!), valueIn(value!)];
  });
  return named.filter(([name]) => name in LIMITS);
}

/** For example: 10 s (`startup_s`). */
function limitSentences({ prose }: DocPage): NamedLimit[] {
  const found = prose.matchAll(/(\d[\d.]*)(?: [a-z]+){0,2} \(`([a-z_]+)`\)/g);
  const named = [...found].map(([, value, name]): NamedLimit => [name!, Number(value)]);
  return named.filter(([name]) => name in LIMITS);
}

describe("the protocol page", () => {
  it("has a heading and an example for every message", () => {
    for (const type of Object.keys({ ...CLIENT_MESSAGES, ...SERVER_MESSAGES })) {
      assert.ok(anchorsOf(protocol).includes(type), type);
      const value: unknown = JSON.parse(blockOf(protocol, type));
      assert.equal(([value].flat()[0] as { type: string }).type, type);
    }
  });

  it("explains every field of every message", () => {
    const words = markedWords(protocol);
    const schemas = Object.values({ ...CLIENT_MESSAGES, ...SERVER_MESSAGES });
    const fields = schemas.flatMap((schema) => fieldsOf(schema, ["stats"]));
    assert.deepEqual(missing([...fields, "type"], words), []);
    for (const name of ATTACKS)
      assert.deepEqual(missing(Object.keys(RULES.attacks[name]), words), [], name);
  });

  it("says hello as the server does", () => {
    const hello = JSON.parse(blockOf(protocol, "hello")) as Record<string, object>;
    const grid = gridOf((hello.map as { name: string }).name);
    assert.deepEqual(hello.rules, JSON.parse(JSON.stringify(RULES)));
    assert.deepEqual(hello.map, JSON.parse(JSON.stringify(grid && mapView(grid))));
  });

  it("has every code that closes, with its number", () => {
    const closing = Object.entries(ERRORS).flatMap(([code, entry]) =>
      "close" in entry ? [`${code} ${entry.close}`] : [],
    );
    const rows = rowsOf(protocol).filter(([, close]) => /^4\d{3}$/.test(close!));
    assert.deepEqual(
      rows.map(([code, close]) => `${inTicks(code!)} ${close}`),
      closing,
    );
  });

  it("says of every refused queue what becomes of the place in the queue", () => {
    const catalogue = Object.entries(ERRORS).flatMap(([code, entry]) =>
      "place" in entry ? [`${code} ${entry.place}`] : [],
    );
    const rows = rowsOf(protocol).filter(([, , place]) => ["kept", "lost"].includes(place!));
    const codes = rows.map(([code, , place]) => `${inTicks(code!)} ${place}`);
    const draining = "[server_draining](protocol-receive.md#server_draining) lost";
    assert.deepEqual(codes.toSorted(), [...catalogue, draining].toSorted());
  });
});

/** Names of all properties at any depth, except below those left out. */
function fieldsOf(schema: unknown, leaves: readonly string[]): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, part]) => {
    if (key !== "properties") return fieldsOf(part, leaves);
    const own = Object.entries(part as object);
    const inner = own.filter(([name]) => !leaves.includes(name));
    return [...own.map(([name]) => name), ...inner.flatMap(([, one]) => fieldsOf(one, leaves))];
  });
}

function missing(fields: readonly string[], words: ReadonlySet<string>): string[] {
  return [...new Set(fields)].filter((field) => !words.has(field));
}

describe("the rules page", () => {
  it("has every number of the rules", () => {
    const rows = rowsOf(rules);
    const numbers = new Map(rows.map(([path, value]) => [inTicks(path!), Number(value)]));
    const columns = rows.find(([first]) => first === "Attack")?.map(inTicks) ?? [];
    for (const [name, ...cells] of rows.filter(([first]) => inTicks(first!) in RULES.attacks))
      for (const [at, cell] of cells.entries())
        numbers.set(`attacks.${inTicks(name!)}.${columns[at + 1]}`, Number(cell));
    for (const [path, value] of numbersOf(RULES)) assert.equal(numbers.get(path), value, path);
  });

  it("has every map with its size", () => {
    const rows = rowsOf(rules).map(([name, size]) => `${inTicks(name!)} ${size}`);
    for (const { name, width, height } of allGrids())
      assert.ok(rows.includes(`${name} ${width}×${height}`), name);
  });

  it("draws rays and sight as they are", () => {
    const drawings = rules.blocks.filter(({ info }) => /^(?:sight|bolt) /.test(info));
    assert.equal(drawings.length, 2);
    for (const { info, text } of drawings) assert.equal(text, drawing(info), info);
  });

  it("explains every field of statistics and replays", () => {
    const words = markedWords(rules);
    const asInHello = ["rules", "map", "deadlines"];
    for (const name of ["match-stats", "replay-header", "replay-tick", "replay-result"])
      assert.deepEqual(missing(fieldsOf(SOCKET_SCHEMAS[name], asInHello), words), [], name);
  });

  it("gives the first draws of chance", () => {
    const first = nextState(1);
    const [one, other] = [first, nextState(first)].map(drawnFrom);
    assert.ok(rules.prose.includes(`first three draws are ${one}, ${other} and `));
  });
});

/** Every number in an object, by its path. */
function numbersOf(value: object, path = ""): [path: string, value: number][] {
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    if (typeof part === "number") return [[path + key, part]];
    return typeof part === "object" && part !== null ? numbersOf(part, `${path}${key}.`) : [];
  });
}

/** A map with the path of a bolt, or what is visible, from a tile; `info` as in the page. */
function drawing(info: string): string {
  const [kind, name, tile, way = ""] = info.split(" ");
  const [x, y] = bothOf(tile!.split(",").map(Number));
  const rows = gridOf(name!)?.rows ?? [];
  const sign = (plus: string, minus: string) => +way.includes(plus) - +way.includes(minus);
  const heading = { dx: sign("e", "w"), dy: sign("s", "n") };
  const { range, bounces } = RULES.attacks.bolt;
  const flight = kind === "bolt" ? flyRay(rows, { x, y }, heading, range, bounces) : [];
  const mark = (column: number, row: number): string => {
    const char = rows[row]![column]!.replace(/[+\d]/, ".");
    if (column === x && row === y) return "@";
    const crossed = flight.find((at) => at.x === column && at.y === row);
    if (crossed !== undefined) return String(crossed.bounces);
    const isHidden = kind === "sight" && char !== "#" && !isVisible(rows, x, y, column, row);
    return isHidden ? "?" : char;
  };
  return rows
    .map((row, at) => `${Array.from(row, (_, column) => mark(column, at)).join("")}\n`)
    .join("");
}

describe("the page about debugging", () => {
  const words = markedWords(pageOf("debugging"));
  const vocabularies = { IDLE_REASONS, REFUSALS, DAMAGE_SOURCES, END_REASONS };
  for (const [name, vocabulary] of Object.entries(vocabularies))
    it(`explains each of ${name}`, () => {
      assert.deepEqual(missing(vocabulary, words), []);
    });
});

describe("the page about events", () => {
  const events = pageOf("events");
  const { condition: ConditionSchema } =
    EventDefinitionSchema.properties.conditions.items.properties;

  it("shows one condition of each kind", () => {
    const rows = rowsOf(events).filter(([, example]) => example?.includes("`{"));
    const shown = rows.map(([kind, example]) => {
      const condition = JSON.parse(/`(\{.*?)`/.exec(example!)![1]!) as { kind: string };
      assert.deepEqual(strictCheck(ConditionSchema)(condition), [], kind!);
      assert.equal(inTicks(kind!), condition.kind);
      return condition.kind;
    });
    const kinds = ConditionSchema.anyOf.map(({ properties }) => properties.kind.const);
    assert.deepEqual(shown, kinds);
  });

  it("has every refusal of a wish and of a flag, in their order", () => {
    const known = [...REQUEST_REFUSALS, ...REVEAL_REFUSALS].map(([code]) => code as string);
    const codes = rowsOf(events).map(([code]) => inTicks(code!));
    assert.deepEqual(
      codes.filter((code) => known.includes(code)),
      known,
    );
  });
});

describe("the other pages", () => {
  it("have every flag of the server with its value and default", () => {
    const rows = rowsOf(pageOf("operating-flags")).filter(([flag]) => flag!.startsWith("`--"));
    const documented = rows.map(([flag, fallback]) => `${inTicks(flag!)}: ${inTicks(fallback!)}`);
    assert.match(serveHelp(), /^ {2}-h, --help {2}/m);
    assert.deepEqual(documented, [...flagLines(), "--help, -h: -"]);
  });

  it("name messages of the log that the server writes", () => {
    const server = readSources().filter(({ path }) =>
      /^src\/(live|server|data|web|outside)\//.test(path),
    );
    const rows = rowsOf(pageOf("operating-logs"));
    const from = rows.findIndex(([first, second]) => first === "`msg`" && second === "What to do");
    const messages = rows.slice(from).filter(([first]) => first !== "`msg`");
    const named = messages.flatMap(([cell]) => cell!.split("`, `").map(inTicks));
    assert.ok(named.length >= 20, `only ${named.length}`);
    for (const message of named) {
      const start = message.replace(/ ?\.{3}$/, "");
      assert.ok(
        server.some(({ text }) => text.includes(`"${start}`)),
        message,
      );
    }
  });

  it("show the versions that run", () => {
    const running = { release: RELEASE, ...playedVersions(), schema: NEWEST_SCHEMA };
    for (const example of ["api-index", "changelog"]) {
      const { versions } = JSON.parse(blockOf(pageOf("api"), example)) as { versions: Versions };
      assert.deepEqual(versions, running, example);
    }
    const { simulator } = JSON.parse(blockOf(pageOf("api"), "api-index")) as ApiIndex;
    assert.equal(
      simulator.python,
      `/download/simulator/bout_sim-${running.engine}-py3-none-any.whl`,
    );
  });

  it("have every limit of the server", () => {
    const named = limitRows(pageOf("limits")).map(([name]) => name);
    assert.deepEqual(named.toSorted(), Object.keys(LIMITS).toSorted());
    const index = JSON.parse(blockOf(pageOf("api"), "api-index")) as Record<string, unknown>;
    assert.deepEqual(index.operational_policy, policyOf(LIMITS, true));
  });

  it("are as scripts/write-docs.ts writes them, if generated from tables", () => {
    assert.equal(pageOf("limits").text, limitsPage(LIMITS, true));
    assert.equal(pageOf("errors").text, errorsPage());
  });

  it("have every house bot", () => {
    const rows = rowsOf(ratings).map((row) => row.map(inTicks).join(" "));
    for (const { name, display, difficulty } of HOUSE_BOTS)
      assert.ok(rows.includes(`${name} ${display} ${difficulty}`), name);
  });

  it("expect of a rating what the ratings expect", () => {
    const rows = rowsOf(ratings).filter(([, share]) => share?.endsWith(" %"));
    assert.ok(rows.length >= 5);
    for (const [points, share] of rows)
      assert.equal(share, `${(100 * expectedScore(Number(points), 0)).toFixed(1)} %`);
  });
});

/** Flags in the order of --help, as "--port PORT: 7777". */
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
