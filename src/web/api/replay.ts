import { Type } from "typebox";

import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWith } from "#web/http/errors.ts";
import { answers, idOf, MatchParams } from "#web/http/query.ts";

const YEAR_S = 365 * 24 * 60 * 60;

const GzipSchema = Type.Unsafe<Uint8Array | string>(
  Type.String({ format: "binary", description: "gzipped JSON Lines" }),
);

/**
 * Replays never change, so their name is their ETag. They are sent as files to save, without a
 * content encoding.
 */
export function replayRoutes(app: App, deps: ApiDeps): void {
  const schema = {
    params: MatchParams,
    response: answers(GzipSchema),
  };
  const about = "The replay of a match, gzipped JSON Lines";
  const types = ["application/gzip"];
  const config = { endpoint: "replay", about, types, refuses: [404] as const, public: true };
  app.get("/replays/:id.jsonl.gz", { schema, config }, async ({ params }, reply) => {
    const id = idOf(params.id);
    const bytes = id && (await replayBytes(deps, id));
    if (bytes === null) return refuseWith(reply, 404, "There is no such replay.");
    reply.type("application/gzip").header("ETag", `"${id}"`);
    reply.header("Cache-Control", `public, max-age=${YEAR_S}, immutable`);
    return bytes;
  });
}

/**
 * Reads the whole file before a byte is sent, since it may be removed meanwhile. A file that the
 * store does not know is about to be removed or is just being saved.
 */
async function replayBytes({ store, replays }: ApiDeps, id: string): Promise<Uint8Array | null> {
  return (await store.replays.has(id)) ? replays.read(id) : null;
}
