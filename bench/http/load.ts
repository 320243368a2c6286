// Requests one address repeatedly over several connections, one request at a time on each, and
// counts.

import { connect } from "node:net";

import { readAnswers } from "./answers.ts";

export type LoadOrder = { url: string; connections: number; warmUpMs: number; measuredMs: number };
export type LoadReport = { requestsPerSecond: number };

async function load({ url, connections, warmUpMs, measuredMs }: LoadOrder): Promise<LoadReport> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  let count = 0;
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    readAnswers(socket, () => {
      count += 1;
      socket.write(request);
    });
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, warmUpMs));
  const [before, start] = [count, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, measuredMs));
  const seconds = (performance.now() - start) / 1000;
  const requestsPerSecond = (count - before) / seconds;
  for (const socket of sockets) socket.destroy();
  return { requestsPerSecond };
}

process.on("message", (order: LoadOrder) => {
  void load(order).then((report) => process.send?.(report));
});
