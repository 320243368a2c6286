// Reads answers off a plain socket: less work than an HTTP client, so that the load costs little
// compared with what it measures. The answers have a Content-Length.

import type { Socket } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_OK = Buffer.from("HTTP/1.1 200 ");

/** Calls back at the end of each answer. Any status but 200 is an error. */
export function readAnswers(socket: Socket, answered: () => void): void {
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
