import type { IncomingHttpHeaders } from "node:http";

import type { FastifyReply, FastifyRequest } from "fastify";

import { HOUR_MS } from "#base/util/time.ts";
import type { ApiDeps } from "#web/http/deps.ts";
import { parseId } from "#web/http/route-params.ts";

/** Maximum number of tracked matches. Tracking limits writes to one per match and hour. */
const MAX_TRACKED = 10_000;

/** Returns a hook that pins a match's replay when another site shows the match in a frame. */
export function pinEmbeddedReplays({
  store,
  clock,
  log,
}: Pick<ApiDeps, "store" | "clock" | "log">) {
  const pinnedAt = new Map<string, number>();
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    done();
    if (request.routeOptions.url !== "/view/:id" || !isEmbedded(request.headers)) return;
    const id = parseId((request.params as { id: string }).id);
    const now = clock();
    if (id === null || reply.statusCode >= 400) return;
    if ((pinnedAt.get(id) ?? -Infinity) > now.getTime() - HOUR_MS) return;
    if (pinnedAt.size >= MAX_TRACKED) pinnedAt.clear();
    pinnedAt.set(id, now.getTime());
    store.replays.pinEmbedded(id, now.toISOString()).catch((error: unknown) => {
      pinnedAt.delete(id);
      log.warn({ err: error }, "could not pin the replay of an embedded match");
    });
  };
}

/** Browsers send these headers over TLS and to loopback addresses. Scripts can't set them. */
const isEmbedded = (headers: IncomingHttpHeaders): boolean =>
  headers["sec-fetch-dest"] === "iframe" && headers["sec-fetch-site"] !== "same-origin";
