// Rolls up the declarations that tsc emits for many modules into one file with the entry's exports
// and everything they depend on. Understands only the syntax that tsc prints, and throws for any
// other syntax.

import { posix } from "node:path";

/** Declaration files by module path below `src`, such as "engine/types.ts". */
type DeclarationFiles = ReadonlyMap<string, string>;

type DeclarationModule = {
  declarations: Map<string, string>;
  imports: Map<string, Origin>;
  exports: Export[];
};
type Origin = { path: string; name: string };
type Export = Origin & { as: string; isType: boolean };

const STATEMENT = /^(?=export\b|declare\b|type\b|import\b|interface\b|class\b|\/\*\*)/m;
const IMPORT = /^import (?:type )?\{ (.*?),? \} from "(.*)";$/s;
const REEXPORT = /^export (type )?\{ (.*?),? \} from "(.*)";$/s;
const DECLARED_NAME =
  /^(?:export )?(?:declare )?(?:type|interface|const|function|(?:abstract )?class) (\w+)/;
const NAME_WITH_ALIAS = /^(\w+)(?: as (\w+))?$/;
const COMMENTS = /\/\*.*?\*\//gs;
const IDENTIFIERS = /[A-Za-z_]\w*/g;

/**
 * Returns the text of the rolled-up declaration file. Throws an Error if two declarations share a
 * name.
 */
export function rollUpDeclarations(sources: DeclarationFiles, entry: string): string {
  const modules = new Map([...sources].map(([path, text]) => [path, parseModule(path, text)]));
  const collected = new Map<string, Origin & { text: string }>();
  const { exports } = requireModule(modules, entry);
  for (const { path, name } of exports) addDeclaration(modules, { path, name }, collected);
  const names = exports.map(({ name, as, isType }) => {
    const renamed = name === as ? name : `${name} as ${as}`;
    return `  ${isType ? "type " : ""}${renamed},\n`;
  });
  const texts = [...collected.values()].map(({ text }) => text.trimEnd());
  return `${texts.join("\n\n")}\n\nexport {\n${names.join("")}};\n`;
}

function addDeclaration(
  modules: ReadonlyMap<string, DeclarationModule>,
  { path, name }: Origin,
  collected: Map<string, Origin & { text: string }>,
): void {
  const { declarations, imports } = requireModule(modules, path);
  const importOrigin = imports.get(name);
  if (importOrigin !== undefined) return addDeclaration(modules, importOrigin, collected);
  const text = declarations.get(name);
  if (text === undefined) throw new Error(`${path} declares no ${name}`);
  const collectedDeclaration = collected.get(name);
  if (collectedDeclaration?.path === path) return undefined;
  if (collectedDeclaration !== undefined)
    throw new Error(`${path} and ${collectedDeclaration.path} both declare ${name}`);
  collected.set(name, { path, name, text });
  const identifiersInText = text.replaceAll(COMMENTS, "").match(IDENTIFIERS) ?? [];
  for (const identifier of new Set(identifiersInText))
    if (identifier !== name && (declarations.has(identifier) || imports.has(identifier)))
      addDeclaration(modules, { path, name: identifier }, collected);
  return undefined;
}

function requireModule(
  modules: ReadonlyMap<string, DeclarationModule>,
  path: string,
): DeclarationModule {
  const module = modules.get(path);
  if (module === undefined) throw new Error(`no declarations of ${path}`);
  return module;
}

function parseModule(path: string, text: string): DeclarationModule {
  if (/\bimport\(/.test(text)) throw new Error(`${path} has a type that needs a name to import`);
  const module: DeclarationModule = { declarations: new Map(), imports: new Map(), exports: [] };
  let comment = "";
  for (const textPart of text.split(STATEMENT)) {
    const isComment = textPart.startsWith("/**");
    if (!isComment) readStatement(module, path, textPart.trim(), comment);
    comment = isComment ? textPart : "";
  }
  return module;
}

function readStatement(
  module: DeclarationModule,
  path: string,
  statement: string,
  comment: string,
): void {
  if (statement === "" || statement === "export {};") return;
  const [, imported, source = ""] = IMPORT.exec(statement) ?? [];
  const [, isType, exported, origin = ""] = REEXPORT.exec(statement) ?? [];
  const [, name] = DECLARED_NAME.exec(statement) ?? [];
  if (imported !== undefined)
    for (const { name, as } of namesIn(imported))
      module.imports.set(as, { path: resolvePath(path, source), name });
  else if (exported !== undefined)
    for (const { name, as } of namesIn(exported))
      module.exports.push({
        path: resolvePath(path, origin),
        name,
        as,
        isType: isType !== undefined,
      });
  else if (name === undefined)
    throw new Error(`${path} has an unsupported statement: ${statement}`);
  else module.declarations.set(name, comment + statement.replace(/^export /, ""));
}

function namesIn(list: string): { name: string; as: string }[] {
  return list.split(/,\s*/).map((item) => {
    const [, name, as] = NAME_WITH_ALIAS.exec(item) ?? [];
    if (name === undefined) throw new Error(`'${item}' is not a plain name`);
    return { name, as: as ?? name };
  });
}

function resolvePath(importer: string, name: string): string {
  return name.startsWith("#") ? name.slice(1) : posix.join(posix.dirname(importer), name);
}
