// Writes one archive on a separate thread, so that I/O and compression don't delay matches.

import { dirname } from "node:path";

import { handleRequests } from "#base/threads/thread.ts";
import { assertDefined } from "#base/util/assert-defined.ts";

import type { ArchiveCommand, ArchiveResult } from "./archive-protocol.ts";
import { openArchiveWriter } from "./archive-writer.ts";
import type { ArchiveWriter } from "./archive-writer.ts";

let writer: ArchiveWriter | undefined;

async function handleCommand(command: ArchiveCommand): Promise<ArchiveResult | null> {
  if (command.kind === "begin")
    writer = await openArchiveWriter({ ...command, folder: dirname(command.path) });
  else if (command.kind === "matches") await assertDefined(writer, "archive").add(command.page);
  else return assertDefined(writer, "archive").finish();
  return null;
}

handleRequests((command) => handleCommand(command as ArchiveCommand));
