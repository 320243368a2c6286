import { existsSync, openAsBlob } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { PGlite } from "@electric-sql/pglite";
import { PGliteDialect } from "kysely";
import type { Dialect } from "kysely";

const INT8 = 20;
const BUILD_FOLDER = fileURLToPath(new URL("../../../dist/testing", import.meta.url));

const MANIFEST = findPackageJSON("@electric-sql/pglite", import.meta.url) ?? "";

/** In-process PostgreSQL. It starts slowly, so each test file uses a single instance. */
export type EmbeddedPostgres = {
  /**
   * Returns a dialect for the running server. Destroying a database that uses it doesn't stop the
   * server.
   */
  dialect(): Dialect;
  clear(): Promise<void>;
  close(): Promise<void>;
};

export async function openEmbeddedPostgres(): Promise<EmbeddedPostgres> {
  const server = await PGlite.create({
    parsers: { [INT8]: Number },
    loadDataDir: await loadEmptyCluster(),
  });
  return {
    dialect: () => new PGliteDialect({ pglite: withoutClose(server) }),
    clear: async () => {
      await server.exec("drop schema public cascade; create schema public");
    },
    close: () => server.close(),
  };
}

/**
 * Returns the files of a new server as a tar archive. Creating them takes seconds, so they are
 * cached on disk.
 */
async function loadEmptyCluster(): Promise<Blob> {
  const { version } = JSON.parse(await readFile(MANIFEST, "utf8")) as { version: string };
  const path = join(BUILD_FOLDER, `postgres-${version}.tar`);
  if (!existsSync(path)) {
    const server = await PGlite.create();
    const files = await server.dumpDataDir("none");
    await server.close();
    // Several test files may create the archive at the same time. The last rename wins.
    const pathPart = `${path}.${process.pid}`;
    await mkdir(BUILD_FOLDER, { recursive: true });
    await writeFile(pathPart, files.stream());
    await rename(pathPart, path);
  }
  return openAsBlob(path);
}

function withoutClose(server: PGlite): PGlite {
  return new Proxy(server, {
    get(target, name) {
      if (name === "close") return async () => {};
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
