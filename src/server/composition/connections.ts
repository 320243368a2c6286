// How many connections there may be, and how long a client may leave its answer unread.

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

import type { Clock } from "#base/clock/clock.ts";
import { SECOND, SECOND_MS } from "#base/units/time.ts";
import type { FixedLimits } from "#core/words/limits.ts";
import type { Sockets } from "#live/sockets/socket.ts";
import type { Admission } from "#web/http/admission.ts";
import { refuseUpgrade } from "#web/http/client-error.ts";
import { asksForWebSocket } from "#web/http/odd-requests.ts";

/** Checks per allowed waiting time of an answer. */
const LOOKS = 4;

type Bounds = Pick<FixedLimits, "connections_total" | "unread_answer_s">;

/**
 * Drops connections beyond the limit, and those whose answer has waited too long to be read: it
 * would stay in memory for as long as the client likes. Bot sockets have their own limit and are
 * left alone. Returns a function that ends the watch.
 */
export function boundConnections(
  server: Server,
  clock: Pick<Clock, "now" | "after">,
  { connections_total, unread_answer_s }: Bounds,
): () => void {
  /** When the unread answer began to wait; null while there is none. */
  const waiting = new Map<Socket, number | null>();
  server.maxConnections = connections_total;
  server.on("connection", (socket) => {
    if (waiting.has(socket)) return;
    waiting.set(socket, null);
    socket.once("close", () => waiting.delete(socket));
  });
  server.on("upgrade", (request) => {
    if (asksForWebSocket(request)) waiting.delete(request.socket);
  });

  function look(): void {
    const now = clock.now();
    for (const [socket, since] of waiting) {
      if (socket.writableLength === 0) waiting.set(socket, null);
      else if (since === null) waiting.set(socket, now);
      else if (now - since >= unread_answer_s * SECOND) socket.destroy();
    }
    cancel = lookLater();
  }

  const lookLater = () => clock.after((unread_answer_s * SECOND_MS) / LOOKS, look);
  let cancel = lookLater();
  return () => cancel();
}

/**
 * Passes on the upgrades that an address may have, and refuses the rest before they cost anything.
 */
export function guardUpgrades(
  admission: Admission | null,
  sockets: Pick<Sockets, "upgrade">,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (request, socket, head) => {
    const refused = admission?.("upgrades_per_second", request) ?? null;
    if (refused === null) sockets.upgrade(request, socket, head);
    else refuseUpgrade(socket, refused);
  };
}
