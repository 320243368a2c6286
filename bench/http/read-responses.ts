// Parses HTTP responses from a plain socket. This is cheaper than an HTTP client, so the load
// generator uses little CPU. Every response must have a Content-Length.

import type { Socket } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_OK = Buffer.from("HTTP/1.1 200 ");

/** Calls `onResponse` at the end of each response. Any status other than 200 is an error. */
export function readResponses(socket: Socket, onResponse: () => void): void {
  let remainingBytes = 0;
  let header: Buffer = Buffer.alloc(0);
  socket.on("data", (data: Buffer) => {
    if (remainingBytes > 0) remainingBytes -= data.length;
    else {
      header = header.length === 0 ? data : Buffer.concat([header, data]);
      const end = header.indexOf(HEAD_END);
      if (end < 0) return;
      if (!header.subarray(0, STATUS_OK.length).equals(STATUS_OK))
        throw new Error(header.subarray(0, end).toString());
      const length = /content-length: (\d+)/i.exec(header.subarray(0, end).toString());
      remainingBytes = Number(length?.[1]) - (header.length - end - HEAD_END.length);
      header = Buffer.alloc(0);
    }
    if (remainingBytes === 0) onResponse();
  });
}
