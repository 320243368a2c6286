import { once } from "node:events";
import type { Server } from "node:http";

import { UsageError } from "#server/configuration/flag-values.ts";

type ListenAddress = { host: string; port: number };

/**
 * Listens on an address. `flag` names the flag that sets the port. Rejects with a UsageError if a
 * different port or host would help.
 */
export async function listen(
  server: Server,
  listenAddress: ListenAddress,
  flag: string,
): Promise<void> {
  server.listen(listenAddress);
  try {
    await once(server, "listening");
  } catch (error) {
    const problem = PROBLEMS[(error as NodeJS.ErrnoException).code ?? ""]?.(listenAddress, flag);
    throw problem === undefined ? error : new UsageError(problem, { cause: error });
  }
}

const PROBLEMS: Readonly<Record<string, (listenAddress: ListenAddress, flag: string) => string>> = {
  EADDRINUSE: ({ host, port }, flag) =>
    `port ${port} on ${host} is already in use: stop the other program, or choose a port with ${flag}`,
  EACCES: ({ host, port }, flag) =>
    `no permission to listen on port ${port} of ${host}: choose a port above 1023 with ${flag}`,
  EADDRNOTAVAIL: ({ host }) => `address ${host} is not available on this machine: check --host`,
};
