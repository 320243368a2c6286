// The archive of a ladder that is over: one file with all that was played on it.

import { Readable } from "node:stream";

import { Type } from "typebox";

import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { LadderParams } from "./ladder-parts.ts";

const FileSchema = Type.Unsafe<unknown>(
  Type.String({ format: "binary", description: "a gzipped tar file; `bout verify` checks it" }),
);

export function archiveRoutes(app: App, { ladders, store, archives }: ApiDeps): void {
  const schema = { params: LadderParams, response: answers(FileSchema) };
  const config = {
    endpoint: "ladder_archive",
    about: "All that was played on a ladder, made once it is over",
    types: ["application/gzip"],
    refuses: [404, "ladder_open"] as const,
    public: true,
  };
  app.get("/api/ladders/:id/archive", { schema, config }, async (request, reply) => {
    const { id } = request.params;
    if (ladders.byId(id) === null) return missing(reply, "ladder");
    const noted = (await store.ladders.byId(id))?.archive ?? null;
    const file = noted === null ? null : await archives.open(id);
    if (noted === null || file === null) return refuse(reply, "ladder_open");
    reply.type("application/gzip").header("Content-Length", file.bytes);
    reply.header("Content-Disposition", `attachment; filename="${id}.tar.gz"`);
    reply.header("ETag", `"${noted.sha256}"`);
    // A HEAD of a stream would read all of it.
    return reply.send(request.method === "HEAD" ? Readable.from([]) : file.stream);
  });
}
