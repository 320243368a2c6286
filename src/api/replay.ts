import { Type } from "typebox";

import type { ApiDeps, App } from "./deps.ts";
import { refuseWith } from "./errors.ts";
import { answers, isId } from "./query.ts";

const YEAR_S = 365 * 24 * 60 * 60;

const GzipSchema = Type.Unsafe<Uint8Array | string>(
  Type.String({ format: "binary", description: "gzipped JSON Lines" }),
);

/** Replays never change, so their name is their ETag. They are files to save, not encodings. */
export function replayRoutes(app: App, deps: ApiDeps): void {
  const schema = {
    params: Type.Object({ id: Type.String() }),
    response: answers(GzipSchema),
  };
  const config = { endpoint: "replay", public: true };
  app.get("/replays/:id.jsonl.gz", { schema, config }, async ({ params }, reply) => {
    const bytes = await replayBytes(deps, params.id);
    if (bytes === null) return refuseWith(reply, 404, "There is no such replay.");
    reply.type("application/gzip").header("ETag", `"${params.id}"`);
    reply.header("Cache-Control", `public, max-age=${YEAR_S}, immutable`);
    return bytes;
  });
}

/** A file whose match is not stored is one about to be swept, or one just being saved. */
async function replayBytes({ store, replays }: ApiDeps, id: string): Promise<Uint8Array | null> {
  if (!isId(id) || (await store.match(id)) === null) return null;
  return replays.read(id);
}
