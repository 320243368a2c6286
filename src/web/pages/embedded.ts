// Keeps the replays of matches that other sites embed.

import type { IncomingHttpHeaders } from "node:http";

import type { FastifyReply, FastifyRequest } from "fastify";

import { HOUR_MS } from "#base/units/time.ts";
import type { ApiDeps } from "#web/http/deps.ts";
import { idOf } from "#web/http/query.ts";

/** Matches that are remembered, so that each is written once an hour at most. */
const MAX_REMEMBERED = 10_000;

/** A hook that pins the replay of a match when another site shows it in a frame. */
export function keepEmbedded({ store, clock, log }: Pick<ApiDeps, "store" | "clock" | "log">) {
  const pinned = new Map<string, number>();
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    done();
    if (request.routeOptions.url !== "/view/:id" || !isEmbedded(request.headers)) return;
    const id = idOf((request.params as { id: string }).id);
    const now = clock();
    if (id === null || reply.statusCode >= 400) return;
    if ((pinned.get(id) ?? -Infinity) > now.getTime() - HOUR_MS) return;
    if (pinned.size >= MAX_REMEMBERED) pinned.clear();
    pinned.set(id, now.getTime());
    store.replays.pinEmbedded(id, now.toISOString()).catch((error: unknown) => {
      pinned.delete(id);
      log.warn({ err: error }, "could not keep the replay of an embedded match");
    });
  };
}

/** Browsers send these headers over TLS and to loopback addresses; scripts cannot set them. */
const isEmbedded = (headers: IncomingHttpHeaders): boolean =>
  headers["sec-fetch-dest"] === "iframe" && headers["sec-fetch-site"] !== "same-origin";
