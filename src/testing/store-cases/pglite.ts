import { existsSync, openAsBlob } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { PGlite } from "@electric-sql/pglite";
import { PGliteDialect } from "kysely";
import type { Dialect } from "kysely";

const INT8 = 20;
const BUILT = fileURLToPath(new URL("../../../dist/testing", import.meta.url));

const MANIFEST = findPackageJSON("@electric-sql/pglite", import.meta.url) ?? "";

/** PostgreSQL in this process. It is slow to start, so one serves all cases of a test file. */
export type EmbeddedPostgres = {
  /** A dialect over the server as it is; closing its users leaves the server running. */
  dialect(): Dialect;
  /** Drops all tables. */
  clear(): Promise<void>;
  close(): Promise<void>;
};

export async function openEmbeddedPostgres(): Promise<EmbeddedPostgres> {
  const server = await PGlite.create({
    parsers: { [INT8]: Number },
    loadDataDir: await emptyCluster(),
  });
  return {
    dialect: () => new PGliteDialect({ pglite: unclosable(server) }),
    clear: async () => {
      await server.exec("drop schema public cascade; create schema public");
    },
    close: () => server.close(),
  };
}

/** The files of a new server, as a tar: making them takes seconds, so it is done once for all. */
async function emptyCluster(): Promise<Blob> {
  const { version } = JSON.parse(await readFile(MANIFEST, "utf8")) as { version: string };
  const path = join(BUILT, `postgres-${version}.tar`);
  if (!existsSync(path)) {
    const server = await PGlite.create();
    const files = await server.dumpDataDir("none");
    await server.close();
    // Test files that run at once may each make it; the last one renamed stays.
    const part = `${path}.${process.pid}`;
    await mkdir(BUILT, { recursive: true });
    await writeFile(part, files.stream());
    await rename(part, path);
  }
  return openAsBlob(path);
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
