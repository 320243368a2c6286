// Reverses the order of matches: they arrive newest first and are written oldest first. A temporary
// file stores the matches, so that only page offsets and IDs are in memory.

import { open } from "node:fs/promises";

import { assertDefined } from "#base/util/assert-defined.ts";

import type { MatchJsonLine } from "./archive-protocol.ts";
import { FILE_MODE } from "./atomic-files.ts";

export type MatchSpool = {
  add(page: readonly MatchJsonLine[]): Promise<void>;
  bytes(): number;
  ids(): string[];
  pages(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
};

/** Creates the file, which must not exist yet. The caller deletes it. */
export async function openMatchSpool(path: string): Promise<MatchSpool> {
  const file = await open(path, "wx+", FILE_MODE);
  const pageOffsets: number[] = [0];
  const ids: string[] = [];
  const totalBytes = () => assertDefined(pageOffsets.at(-1), "end");

  async function* pages(): AsyncGenerator<Uint8Array> {
    for (let pageNumber = pageOffsets.length - 1; pageNumber > 0; pageNumber -= 1) {
      const [from, to] = [
        assertDefined(pageOffsets[pageNumber - 1], "end"),
        assertDefined(pageOffsets[pageNumber], "end"),
      ];
      const page = Buffer.alloc(to - from);
      await file.read(page, 0, page.length, from);
      yield page;
    }
  }

  return {
    add: async (page) => {
      const lines = page.toReversed().map(({ text }) => `${text}\n`);
      const text = Buffer.from(lines.join(""));
      await file.write(text, 0, text.length, totalBytes());
      pageOffsets.push(totalBytes() + text.length);
      ids.push(...page.map(({ id }) => id));
    },
    bytes: totalBytes,
    ids: () => ids.toReversed(),
    pages,
    close: () => file.close(),
  };
}
