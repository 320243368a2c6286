// The matches of an archive on their way into it. They come newest first and leave oldest first, so
// they wait in a file; memory holds where each page of them begins, and their ids.

import { open } from "node:fs/promises";

import { sure } from "#base/units/sure.ts";

import type { MatchLine } from "./archive-job.ts";
import { FILE_MODE } from "./whole-file.ts";

export type Spool = {
  add(page: readonly MatchLine[]): Promise<void>;
  /** Of all lines. */
  bytes(): number;
  /** Oldest first. */
  ids(): string[];
  /** The lines, oldest match first, a page at a time. */
  pages(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
};

/** Opens a file that must not be there yet. The caller removes it. */
export async function openSpool(path: string): Promise<Spool> {
  const file = await open(path, "wx+", FILE_MODE);
  const ends: number[] = [0];
  const ids: string[] = [];
  const size = () => sure(ends.at(-1), "end");

  async function* pages(): AsyncGenerator<Uint8Array> {
    for (let place = ends.length - 1; place > 0; place -= 1) {
      const [from, to] = [sure(ends[place - 1], "end"), sure(ends[place], "end")];
      const page = Buffer.alloc(to - from);
      await file.read(page, 0, page.length, from);
      yield page;
    }
  }

  return {
    add: async (page) => {
      const lines = page.toReversed().map(({ text }) => `${text}\n`);
      const text = Buffer.from(lines.join(""));
      await file.write(text, 0, text.length, size());
      ends.push(size() + text.length);
      ids.push(...page.map(({ id }) => id));
    },
    bytes: size,
    ids: () => ids.toReversed(),
    pages,
    close: () => file.close(),
  };
}
