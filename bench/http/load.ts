// Asks one address over and over on some connections, one request at a time on each, and counts.

import { connect } from "node:net";
import type { Socket } from "node:net";

export type LoadOrder = { url: string; connections: number; warmUpMs: number; measuredMs: number };
export type LoadReport = { requestsPerSecond: number };

const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_OK = Buffer.from("HTTP/1.1 200 ");

/** Calls back at the end of each answer; the answers have a Content-Length. */
function readAnswers(socket: Socket, answered: () => void): void {
  let missing = 0;
  let head: Buffer = Buffer.alloc(0);
  socket.on("data", (data: Buffer) => {
    if (missing > 0) missing -= data.length;
    else {
      head = head.length === 0 ? data : Buffer.concat([head, data]);
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      if (!head.subarray(0, STATUS_OK.length).equals(STATUS_OK))
        throw new Error(head.subarray(0, end).toString());
      const length = /content-length: (\d+)/i.exec(head.subarray(0, end).toString());
      missing = Number(length?.[1]) - (head.length - end - HEAD_END.length);
      head = Buffer.alloc(0);
    }
    if (missing === 0) answered();
  });
}

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
