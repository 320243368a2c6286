// Requests many URLs in turn at a fixed rate over a few connections, one request at a time per
// connection. If no connection is idle, the request isn't sent and counts as delayed.

import { connect } from "node:net";
import type { Socket } from "node:net";

import { readResponses } from "./read-responses.ts";

export type StormOrder = {
  baseUrl: string;
  paths: string[];
  perSecond: number;
  connections: number;
  forMs: number;
};
export type StormReport = { served: number; heldUp: number };

const STEP_MS = 5;

async function runStorm(order: StormOrder): Promise<StormReport> {
  const { hostname, port, host } = new URL(order.baseUrl);
  const requests = order.paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  );
  const report = { served: 0, heldUp: 0 };
  const idleSockets: Socket[] = [];
  const sockets = Array.from({ length: order.connections }, () => {
    const socket = connect(Number(port), hostname, () => idleSockets.push(socket));
    readResponses(socket, () => {
      report.served += 1;
      idleSockets.push(socket);
    });
    return socket;
  });
  const start = performance.now();
  for (
    let sentCount = 0, elapsedMs = 0;
    elapsedMs < order.forMs;
    elapsedMs = performance.now() - start
  ) {
    for (; sentCount < (elapsedMs / 1000) * order.perSecond; sentCount += 1) {
      const socket = idleSockets.shift();
      if (socket === undefined) report.heldUp += 1;
      else socket.write(requests[sentCount % requests.length]!);
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  for (const socket of sockets) socket.destroy();
  return report;
}

process.on("message", (order: StormOrder) => {
  void runStorm(order).then((report) => process.send?.(report));
});
