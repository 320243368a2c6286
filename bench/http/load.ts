// Requests one URL repeatedly over several connections, one request at a time per connection, and
// counts the responses.

import { connect } from "node:net";

import { readResponses } from "./read-responses.ts";

export type LoadOrder = { url: string; connections: number; warmUpMs: number; measuredMs: number };
export type LoadReport = { requestsPerSecond: number };

async function runLoad({ url, connections, warmUpMs, measuredMs }: LoadOrder): Promise<LoadReport> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  let responseCount = 0;
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    readResponses(socket, () => {
      responseCount += 1;
      socket.write(request);
    });
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, warmUpMs));
  const [countBefore, start] = [responseCount, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, measuredMs));
  const seconds = (performance.now() - start) / 1000;
  const requestsPerSecond = (responseCount - countBefore) / seconds;
  for (const socket of sockets) socket.destroy();
  return { requestsPerSecond };
}

process.on("message", (order: LoadOrder) => {
  void runLoad(order).then((report) => process.send?.(report));
});
