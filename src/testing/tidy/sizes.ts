import type { SourceFile } from "./wings.ts";

const MAX_LINES = 450;
const MAX_LINE_LENGTH = 100;

/** Tests may contain expected output of any width and tables of any length. */
const isTestFile = (path: string): boolean =>
  path.endsWith(".test.ts") ||
  /^src\/testing\/(?:fixtures|harness|store-contract|tidy|torture)\//.test(path);

const BANNED_IN_SOURCE: readonly [word: RegExp, instead: string][] = [
  [/\bMath\.random\b/, "draw from a seed, or use node:crypto in base/clock"],
];
const BANNED_EVERYWHERE: readonly [word: RegExp, instead: string][] = [
  [/\bTO(?:DO)\b|\bFIX(?:ME)\b|\bX{3}\b/, "finish it"],
  [/oxlint-disable|@ts-(?:ignore|expect-error|nocheck)/, "fix the reported problem"],
  [/\.(?:only|skip|todo)\(/, "enable every test"],
];
/** Applies only in src. Outside it, neighbouring files can be imported only by relative path. */
const BANNED_IN_WINGS: readonly [word: RegExp, instead: string][] = [
  [/from "\.\.\//, "import from another room as #wing/room/file.ts"],
];

/** Returns all problems in one file, one line each. */
export function findUntidy({ path, text }: SourceFile): string[] {
  return [...checkSizes({ path, text }), ...checkBannedWords({ path, text })].map(
    (line) => `${path}: ${line}`,
  );
}

function checkSizes({ path, text }: SourceFile): string[] {
  if (isTestFile(path)) return [];
  const lines = text.split("\n");
  const longLines = lines.flatMap((line, index) =>
    line.length > MAX_LINE_LENGTH && !isUnbreakable(line)
      ? [`line ${index + 1} is ${line.length} characters long`]
      : [],
  );
  return lines.length > MAX_LINES + 1 ? [...longLines, `${lines.length} lines`] : longLines;
}

/** Strings, patterns and templates can't be wrapped. */
function isUnbreakable(line: string): boolean {
  return /["'`/]/.test(line);
}

function checkBannedWords({ path, text }: SourceFile): string[] {
  if (path.startsWith("src/testing/tidy/")) return [];
  const bannedWords = [
    ...BANNED_EVERYWHERE,
    ...(isTestFile(path) ? [] : BANNED_IN_SOURCE),
    ...(path.startsWith("src/") ? BANNED_IN_WINGS : []),
  ];
  return bannedWords.flatMap(([pattern, instead]) => {
    const match = pattern.exec(text);
    return match === null ? [] : [`${match[0]}: ${instead}`];
  });
}

/** Returns names exported by more than one file. A name must have a single meaning. */
export function findHomonyms(sources: readonly SourceFile[]): string[] {
  const declarations = sources
    .filter(({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts"))
    .flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /^export (?:declare )?(?:type|interface|class|enum|const|let|(?:async )?function\*?) (\w+)\b/gm,
        ),
      ].map(([, name]) => ({ name: name!, path })),
    );
  return [...Map.groupBy(declarations, ({ name }) => name)]
    .filter(([, sameName]) => sameName.length > 1)
    .map(([name, sameName]) => `${name}: ${sameName.map(({ path }) => path).join(", ")}`);
}
