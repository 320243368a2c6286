// Rolls up tsc's declarations of many modules into one file with the exports of the entry and what
// they need. It understands only the form in which tsc prints them, and refuses others.

import { posix } from "node:path";

/** Declarations by the path of their module below src, such as "engine/types.ts". */
type Modules = ReadonlyMap<string, string>;

type Module = {
  declarations: Map<string, string>;
  /** Module and name behind each name that comes from elsewhere. */
  imports: Map<string, Origin>;
  exports: Export[];
};
type Origin = { path: string; name: string };
type Export = Origin & { as: string; isType: boolean };

const STATEMENT = /^(?=export\b|declare\b|type\b|import\b|interface\b|class\b|\/\*\*)/m;
const IMPORT = /^import (?:type )?\{ (.*?),? \} from "(.*)";$/s;
const REEXPORT = /^export (type )?\{ (.*?),? \} from "(.*)";$/s;
const DECLARED =
  /^(?:export )?(?:declare )?(?:type|interface|const|function|(?:abstract )?class) (\w+)/;
const NAMED = /^(\w+)(?: as (\w+))?$/;
const COMMENTS = /\/\*.*?\*\//gs;
const WORDS = /[A-Za-z_]\w*/g;

/** The text of one declaration file. Throws an Error if two declarations share a name. */
export function rollUp(sources: Modules, entry: string): string {
  const modules = new Map([...sources].map(([path, text]) => [path, moduleOf(path, text)]));
  const kept = new Map<string, Origin & { text: string }>();
  const { exports } = found(modules, entry);
  for (const { path, name } of exports) keep(modules, { path, name }, kept);
  const names = exports.map(({ name, as, isType }) => {
    const renamed = name === as ? name : `${name} as ${as}`;
    return `  ${isType ? "type " : ""}${renamed},\n`;
  });
  const texts = [...kept.values()].map(({ text }) => text.trimEnd());
  return `${texts.join("\n\n")}\n\nexport {\n${names.join("")}};\n`;
}

/** Adds a declaration after everything it needs. */
function keep(
  modules: ReadonlyMap<string, Module>,
  { path, name }: Origin,
  kept: Map<string, Origin & { text: string }>,
): void {
  const { declarations, imports } = found(modules, path);
  const from = imports.get(name);
  if (from !== undefined) return keep(modules, from, kept);
  const text = declarations.get(name);
  if (text === undefined) throw new Error(`${path} declares no ${name}`);
  const known = kept.get(name);
  if (known?.path === path) return undefined;
  if (known !== undefined) throw new Error(`${path} and ${known.path} both declare ${name}`);
  kept.set(name, { path, name, text });
  const needed = text.replaceAll(COMMENTS, "").match(WORDS) ?? [];
  for (const word of new Set(needed))
    if (word !== name && (declarations.has(word) || imports.has(word)))
      keep(modules, { path, name: word }, kept);
  return undefined;
}

function found(modules: ReadonlyMap<string, Module>, path: string): Module {
  const module = modules.get(path);
  if (module === undefined) throw new Error(`there are no declarations of ${path}`);
  return module;
}

function moduleOf(path: string, text: string): Module {
  if (/\bimport\(/.test(text)) throw new Error(`${path} has a type that needs a name to import`);
  const module: Module = { declarations: new Map(), imports: new Map(), exports: [] };
  let comment = "";
  for (const part of text.split(STATEMENT)) {
    const isComment = part.startsWith("/**");
    if (!isComment) take(module, path, part.trim(), comment);
    comment = isComment ? part : "";
  }
  return module;
}

function take(module: Module, path: string, statement: string, comment: string): void {
  if (statement === "" || statement === "export {};") return;
  const [, imported, source = ""] = IMPORT.exec(statement) ?? [];
  const [, isType, exported, origin = ""] = REEXPORT.exec(statement) ?? [];
  const [, name] = DECLARED.exec(statement) ?? [];
  if (imported !== undefined)
    for (const { name, as } of namesIn(imported))
      module.imports.set(as, { path: resolved(path, source), name });
  else if (exported !== undefined)
    for (const { name, as } of namesIn(exported))
      module.exports.push({ path: resolved(path, origin), name, as, isType: isType !== undefined });
  else if (name === undefined) throw new Error(`${path} has a statement of its own: ${statement}`);
  else module.declarations.set(name, comment + statement.replace(/^export /, ""));
}

function namesIn(list: string): { name: string; as: string }[] {
  return list.split(/,\s*/).map((item) => {
    const [, name, as] = NAMED.exec(item) ?? [];
    if (name === undefined) throw new Error(`'${item}' is no plain name`);
    return { name, as: as ?? name };
  });
}

function resolved(importer: string, name: string): string {
  return name.startsWith("#") ? name.slice(1) : posix.join(posix.dirname(importer), name);
}
