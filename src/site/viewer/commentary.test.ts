import assert from "node:assert/strict";
import { readFileSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";

import { parseReplay } from "#core/replay/parse-replay.ts";
import { PROJECT_ROOT } from "#server/composition/project-paths.ts";

import { captionAt, commentaryLines } from "./commentary.ts";
import { simulateReplay } from "./simulated-replay.ts";

const GOLDEN_FOLDER = join(PROJECT_ROOT, "src/testing/fixtures/golden");
const GOLDEN_NAMES = globSync("*.jsonl", { cwd: GOLDEN_FOLDER }).map((file) =>
  basename(file, ".jsonl"),
);

function simulateGolden(name: string) {
  const replay = parseReplay(readFileSync(join(GOLDEN_FOLDER, `${name}.jsonl`), "utf8"));
  assert.ok(!("error" in replay));
  return simulateReplay(replay);
}

const repeatedTexts = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => text === texts[index - 1]);

for (const name of GOLDEN_NAMES) {
  test(`repeats no caption twice in a row in the golden match ${name}`, () => {
    const simulation = simulateGolden(name);
    const lines = commentaryLines(simulation, { A: "Ada", B: "Bob" });
    const tickHasLine = (tick: number): boolean => lines.some((line) => line.tick === tick);
    const captions = simulation.ticks
      .filter(({ tick }) => tickHasLine(tick))
      .map(({ tick }) => captionAt(lines, { tick, progress: 1 }) ?? "");
    assert.deepEqual(repeatedTexts(lines.map(({ text }) => text)), []);
    assert.deepEqual(repeatedTexts(captions), []);
  });
}

/** Lines of events that happen at most once in a match. */
const SINGLE_LINES = /down. It is over|First blood|Photo finish|last square/;

test("words the same event differently each time", () => {
  const recurringTexts = GOLDEN_NAMES.flatMap((name) => {
    const simulation = simulateGolden(name);
    const names = { A: "Ada", B: "Bob" };
    return commentaryLines(simulation, names).flatMap((line) => {
      if (SINGLE_LINES.test(line.text)) return [];
      const tick = simulation.ticks[line.tick]!;
      const [before, after] = [simulation.frames[line.tick]!, simulation.frames[line.tick + 1]!];
      const repeated = {
        ...simulation,
        ticks: Array.from({ length: 6 }, (_, index) => ({ ...tick, tick: 2 * index })),
        frames: Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? before : after)),
      };
      const texts = commentaryLines(repeated, names).map(({ text }) => text);
      assert.ok(texts.length >= 6, line.text);
      assert.deepEqual(repeatedTexts(texts), [], line.text);
      return line.text;
    });
  });
  assert.ok(recurringTexts.length > 5, String(recurringTexts.length));
});

test("shows the most important line of the latest tick, for five ticks", () => {
  const lines = [
    { tick: 3, text: "first", isHighlight: true },
    { tick: 3, text: "second", isHighlight: false },
    { tick: 5, text: "third", isHighlight: false },
  ];
  const captions = [2, 3, 4, 5, 9, 10].map((tick) => captionAt(lines, { tick, progress: 0.5 }));
  assert.deepEqual(captions, [null, "first", "first", "third", "third", null]);
  assert.equal(captionAt(lines, { tick: 3, progress: 0 }), null);
});
