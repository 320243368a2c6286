// Requests many addresses in turn at an offered rate, over a few connections, one request at a time
// on each. A request for which no connection is free counts as held up and is not sent.

import { connect } from "node:net";
import type { Socket } from "node:net";

import { readAnswers } from "./answers.ts";

export type StormOrder = {
  baseUrl: string;
  paths: string[];
  perSecond: number;
  connections: number;
  forMs: number;
};
export type StormReport = { served: number; heldUp: number };

const STEP_MS = 5;

async function storm(order: StormOrder): Promise<StormReport> {
  const { hostname, port, host } = new URL(order.baseUrl);
  const requests = order.paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  );
  const report = { served: 0, heldUp: 0 };
  const free: Socket[] = [];
  const sockets = Array.from({ length: order.connections }, () => {
    const socket = connect(Number(port), hostname, () => free.push(socket));
    readAnswers(socket, () => {
      report.served += 1;
      free.push(socket);
    });
    return socket;
  });
  const start = performance.now();
  for (let asked = 0, passed = 0; passed < order.forMs; passed = performance.now() - start) {
    for (; asked < (passed / 1000) * order.perSecond; asked += 1) {
      const socket = free.shift();
      if (socket === undefined) report.heldUp += 1;
      else socket.write(requests[asked % requests.length]!);
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  for (const socket of sockets) socket.destroy();
  return report;
}

process.on("message", (order: StormOrder) => {
  void storm(order).then((report) => process.send?.(report));
});
