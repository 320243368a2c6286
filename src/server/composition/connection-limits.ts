import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

import type { Clock } from "#base/clock/clock.ts";
import { SECOND_US, SECOND_MS } from "#base/util/time.ts";
import type { FixedLimits } from "#core/limits/limits.ts";
import type { Sockets } from "#live/sockets/sockets.ts";
import type { Admission } from "#web/http/admission.ts";
import { refuseUpgrade } from "#web/http/client-error.ts";
import { isWebSocketUpgrade } from "#web/http/malformed-requests.ts";

const CHECKS_PER_TIMEOUT = 4;

type ConnectionLimits = Pick<FixedLimits, "connections_total" | "unread_answer_s">;

/**
 * Refuses connections above the limit and drops connections that leave a response unread for too
 * long, because unread responses stay in memory. Bot sockets have their own limits and are ignored.
 * Returns a function that stops the checks.
 */
export function limitConnections(
  server: Server,
  clock: Pick<Clock, "now" | "after">,
  { connections_total, unread_answer_s }: ConnectionLimits,
): () => void {
  /**
   * Time at which a check first found unread response data, in µs; null if all data has been sent.
   */
  const unreadSince = new Map<Socket, number | null>();
  server.maxConnections = connections_total;
  server.on("connection", (socket) => {
    if (unreadSince.has(socket)) return;
    unreadSince.set(socket, null);
    socket.once("close", () => unreadSince.delete(socket));
  });
  server.on("upgrade", (request) => {
    if (isWebSocketUpgrade(request)) unreadSince.delete(request.socket);
  });

  function checkUnread(): void {
    const now = clock.now();
    for (const [socket, startedAt] of unreadSince) {
      if (socket.writableLength === 0) unreadSince.set(socket, null);
      else if (startedAt === null) unreadSince.set(socket, now);
      else if (now - startedAt >= unread_answer_s * SECOND_US) socket.destroy();
    }
    cancel = scheduleCheck();
  }

  const scheduleCheck = () =>
    clock.after((unread_answer_s * SECOND_MS) / CHECKS_PER_TIMEOUT, checkUnread);
  let cancel = scheduleCheck();
  return () => cancel();
}

/** Returns an upgrade handler that refuses upgrades above the address's rate limit. */
export function guardUpgrades(
  admission: Admission | null,
  sockets: Pick<Sockets, "handleUpgrade">,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (request, socket, head) => {
    const refusal = admission?.("upgrades_per_second", request) ?? null;
    if (refusal === null) sockets.handleUpgrade(request, socket, head);
    else refuseUpgrade(socket, refusal);
  };
}
