// The guides in reading order, each with a title and a summary from its own text.

import type { Guide } from "#site/guide/data.ts";

const GROUPS: readonly [group: string, names: readonly string[]][] = [
  ["Begin", ["quick-start", "agents", "starters", "accounts", "faq"]],
  ["Play", ["protocol", "rules", "ladders", "events", "errors", "limits"]],
  [
    "Improve",
    ["debugging", "ratings", "fairness", "house-bots", "cli", "simulator", "python-simulator"],
  ],
  ["Build on it", ["api", "mcp", "design-language"]],
  ["Operate", ["organisers", "operating", "identity", "privacy", "performance", "reliability"]],
];
/** The group of a guide that is not in the table. */
const REST = "More";

/** The guides that exist, in reading order. */
export function guidesOf(docs: ReadonlyMap<string, string>): Guide[] {
  const known = GROUPS.flatMap(([group, names]) => names.map((name) => [group, name] as const));
  const rest = [...docs.keys()].filter((name) => !known.some(([, other]) => other === name));
  const all = [...known, ...rest.toSorted().map((name) => [REST, name] as const)];
  return all.flatMap(([group, name]) => {
    const text = docs.get(name);
    return text === undefined ? [] : [{ name, group, ...headOf(text) }];
  });
}

/** Title and first sentence of a Markdown text. */
function headOf(text: string): { title: string; summary: string } {
  const [first = "", second = ""] = text.split("\n\n", 2);
  const sentence = /^.*?[.!?](?=\s|$)/s.exec(second)?.[0] ?? second;
  return { title: first.replace(/^# /, "").trim(), summary: plain(sentence) };
}

/** Strips the markup of links, code and emphasis. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ");
}
