// Reverses the matches of an archive: they arrive newest first and are written oldest first. They
// wait in a file; only page offsets and IDs are in memory.

import { open } from "node:fs/promises";

import { assertDefined } from "#base/util/assert-defined.ts";

import type { MatchJsonLine } from "./archive-protocol.ts";
import { FILE_MODE } from "./atomic-files.ts";

export type MatchSpool = {
  add(page: readonly MatchJsonLine[]): Promise<void>;
  /** Total size of the lines. */
  bytes(): number;
  /** Oldest first. */
  ids(): string[];
  /** Yields the lines, oldest match first, a page at a time. */
  pages(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
};

/** Opens a file that must not exist yet. The caller removes it. */
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
