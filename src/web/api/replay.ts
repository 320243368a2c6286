import { Type } from "typebox";

import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithStatus } from "#web/http/errors.ts";
import { okResponses, parseId, MatchParams } from "#web/http/route-params.ts";

const YEAR_S = 365 * 24 * 60 * 60;

const GzipSchema = Type.Unsafe<Uint8Array | string>(
  Type.String({ format: "binary", description: "gzipped JSON Lines" }),
);

/**
 * Serves replays as downloads without content encoding. Replays never change, so the file name is
 * the ETag.
 */
export function replayRoutes(app: App, deps: ApiDeps): void {
  const schema = {
    params: MatchParams,
    response: okResponses(GzipSchema),
  };
  const summary = "Downloads a match's replay, gzipped JSON Lines";
  const types = ["application/gzip"];
  const config = { endpoint: "replay", summary, types, errorCodes: [404] as const, public: true };
  app.get("/replays/:id.jsonl.gz", { schema, config }, async ({ params }, reply) => {
    const id = parseId(params.id);
    const bytes = id && (await replayBytes(deps, id));
    if (bytes === null) return refuseWithStatus(reply, 404, "There is no such replay.");
    reply.type("application/gzip").header("ETag", `"${id}"`);
    reply.header("Cache-Control", `public, max-age=${YEAR_S}, immutable`);
    return bytes;
  });
}

/**
 * Reads the whole file before sending any of it, because a cleanup may delete it during the
 * response. Returns null if the replay isn't in the store: the file is about to be deleted or still
 * being saved.
 */
async function replayBytes({ store, replays }: ApiDeps, id: string): Promise<Uint8Array | null> {
  return (await store.replays.has(id)) ? replays.read(id) : null;
}
