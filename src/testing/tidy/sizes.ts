// Sizes of files and lines, banned words, and type names that mean two things.

import type { SourceFile } from "./wings.ts";

const MOST_LINES = 400;
const LONGEST_LINE = 100;

/** Tests hold golden texts of any width, and tables of any length. */
const isProof = (path: string): boolean =>
  path.endsWith(".test.ts") ||
  /^src\/testing\/(?:fixtures|harness|store-cases|tidy|torture)\//.test(path);

const BANNED_IN_SOURCE: readonly [word: RegExp, instead: string][] = [
  [/\bMath\.random\b/, "draw from a seed, or node:crypto in base/clock"],
];
const BANNED: readonly [word: RegExp, instead: string][] = [
  [/\bTO(?:DO)\b|\bFIX(?:ME)\b|\bX{3}\b/, "finish it"],
  [/oxlint-disable|@ts-(?:ignore|expect-error|nocheck)/, "mend what is reported"],
  [/\.(?:only|skip|todo)\(/, "run every test"],
];
/** Outside src, files next to a folder have no other address. */
const BANNED_IN_WINGS: readonly [word: RegExp, instead: string][] = [
  [/from "\.\.\//, "address another room as #wing/room/file.ts"],
];

/** Everything untidy within one file, one line each. */
export function untidy({ path, text }: SourceFile): string[] {
  return [...sizes({ path, text }), ...words({ path, text })].map((line) => `${path}: ${line}`);
}

function sizes({ path, text }: SourceFile): string[] {
  if (isProof(path)) return [];
  const lines = text.split("\n");
  const long = lines.flatMap((line, at) =>
    line.length > LONGEST_LINE && !isUnbreakable(line)
      ? [`line ${at + 1} is ${line.length} long`]
      : [],
  );
  return lines.length > MOST_LINES + 1 ? [...long, `${lines.length} lines`] : long;
}

/** Texts, patterns and templates do not wrap. */
function isUnbreakable(line: string): boolean {
  return /["'`/]/.test(line);
}

function words({ path, text }: SourceFile): string[] {
  if (path.startsWith("src/testing/tidy/")) return [];
  const banned = [
    ...BANNED,
    ...(isProof(path) ? [] : BANNED_IN_SOURCE),
    ...(path.startsWith("src/") ? BANNED_IN_WINGS : []),
  ];
  return banned.flatMap(([word, instead]) => {
    const found = word.exec(text);
    return found === null ? [] : [`${found[0]}: ${instead}`];
  });
}

/** Exported type names that two product files declare. One word must have one meaning. */
export function homonyms(sources: readonly SourceFile[]): string[] {
  const declared = sources
    .filter(({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:declare )?(?:type|interface|class) (\w+)\b/gm)].map(
        ([, name]) => ({ name: name!, path }),
      ),
    );
  return [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(", ")}`);
}
