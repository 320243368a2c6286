// Listens, or says in one line why that cannot be.

import { once } from "node:events";
import type { Server } from "node:http";

import { UsageError } from "#server/configuration/flag-values.ts";

type Place = { host: string; port: number };

/** `flag` is the one with which another port is chosen. Rejects with a UsageError where one helps. */
export async function listening(server: Server, place: Place, flag: string): Promise<void> {
  server.listen(place);
  try {
    await once(server, "listening");
  } catch (error) {
    const problem = PROBLEMS[(error as NodeJS.ErrnoException).code ?? ""]?.(place, flag);
    throw problem === undefined ? error : new UsageError(problem, { cause: error });
  }
}

const PROBLEMS: Readonly<Record<string, (place: Place, flag: string) => string>> = {
  EADDRINUSE: ({ host, port }, flag) =>
    `port ${port} of ${host} is taken by another program: stop that one, or choose a port with ${flag}`,
  EACCES: ({ host, port }, flag) =>
    `this user may not listen on port ${port} of ${host}: choose one above 1023 with ${flag}`,
  EADDRNOTAVAIL: ({ host }) => `this machine has no address ${host} to listen on: see --host`,
};
