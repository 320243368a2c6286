// Serves a finished ladder's archive, a single file with all of its matches.

import { Readable } from "node:stream";

import { Type } from "typebox";

import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { LadderParams } from "./ladder-route-helpers.ts";

const FileSchema = Type.Unsafe<unknown>(
  Type.String({ format: "binary", description: "a gzipped tar file; `bout verify` checks it" }),
);

export function archiveRoutes(app: App, { ladders, store, archives }: ApiDeps): void {
  const schema = { params: LadderParams, response: okResponses(FileSchema) };
  const config = {
    endpoint: "ladder_archive",
    summary: "Downloads all matches from a finished ladder",
    types: ["application/gzip"],
    errorCodes: [404, "ladder_open"] as const,
    public: true,
  };
  app.get("/api/ladders/:id/archive", { schema, config }, async (request, reply) => {
    const { id } = request.params;
    if (ladders.byId(id) === null) return refuseNotFound(reply, "ladder");
    const archive = (await store.ladders.byId(id))?.archive ?? null;
    const file = archive === null ? null : await archives.open(id);
    if (archive === null || file === null) return refuseWithCode(reply, "ladder_open");
    reply.type("application/gzip").header("Content-Length", file.bytes);
    reply.header("Content-Disposition", `attachment; filename="${id}.tar.gz"`);
    reply.header("ETag", `"${archive.sha256}"`);
    // For a HEAD request, Fastify would otherwise read the whole stream.
    return reply.send(request.method === "HEAD" ? Readable.from([]) : file.stream);
  });
}
