import { PGlite } from "@electric-sql/pglite";
import { PGliteDialect } from "kysely";
import type { Dialect } from "kysely";

const INT8 = 20;

/** PostgreSQL in this process. It is slow to start, so one serves all cases of a test file. */
export type EmbeddedPostgres = {
  /** A dialect over the server as it is; closing its users leaves the server running. */
  dialect(): Dialect;
  /** Drops all tables. */
  clear(): Promise<void>;
  close(): Promise<void>;
};

export async function openEmbeddedPostgres(): Promise<EmbeddedPostgres> {
  const server = await PGlite.create({ parsers: { [INT8]: Number } });
  return {
    dialect: () => new PGliteDialect({ pglite: unclosable(server) }),
    clear: async () => {
      await server.exec("drop schema public cascade; create schema public");
    },
    close: () => server.close(),
  };
}

function unclosable(server: PGlite): PGlite {
  return new Proxy(server, {
    get(target, name) {
      if (name === "close") return async () => {};
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
