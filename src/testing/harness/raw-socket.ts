// A WebSocket client that may break every rule of the protocol (RFC 6455): bytes in, bytes out.

import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import type { Socket } from "node:net";

/** A frame as the server sent it. */
type Frame = { opcode: number; payload: Buffer };

export type FrameOptions = {
  fin?: boolean;
  masked?: boolean;
  /** The three reserved bits as a number. */
  reserved?: number;
  /** The length stated in the header, if it lies. */
  length?: bigint;
};

export const OPCODES = {
  continuation: 0,
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
} as const;

const CLOSE_OPCODE = OPCODES.close;

export type RawSocket = {
  readonly socket: Socket;
  /** The head of the answer to the upgrade, up to the empty line. */
  readonly head: string;
  write(...frames: Buffer[]): void;
  frames(): Frame[];
  /** Received texts, parsed. */
  texts(): Record<string, unknown>[];
  /** Resolves at the end of the connection with the close code, or null without one. */
  readonly ended: Promise<number | null>;
};

/** The bytes of one frame, masked as a client must, unless told otherwise. */
export function frame(
  opcode: number,
  payload: string | Buffer,
  options: FrameOptions = {},
): Buffer {
  const { fin = true, masked = true, reserved = 0, length } = options;
  const body = Buffer.from(payload);
  const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  const header = [Buffer.from([first]), lengthOf(length ?? BigInt(body.length), masked)];
  if (!masked) return Buffer.concat([...header, body]);
  const mask = randomBytes(4);
  return Buffer.concat([...header, mask, body.map((byte, at) => byte ^ mask[at % 4]!)]);
}

function lengthOf(length: bigint, masked: boolean): Buffer {
  const bit = masked ? 0x80 : 0;
  if (length < 126n) return Buffer.from([bit | Number(length)]);
  const long = Buffer.alloc(length < 65_536n ? 3 : 9);
  long[0] = bit | (length < 65_536n ? 126 : 127);
  if (length < 65_536n) long.writeUInt16BE(Number(length), 1);
  else long.writeBigUInt64BE(length, 1);
  return long;
}

export const textFrame = (message: object): Buffer => frame(OPCODES.text, JSON.stringify(message));

/** A close frame with a code and a reason. */
export function closeFrame(code: number, reason = ""): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return frame(OPCODES.close, Buffer.concat([payload, Buffer.from(reason)]));
}

/** The head of an upgrade request to the bot socket; lines are added or, if null, left out. */
export function upgradeHead(
  changes: Record<string, string | null> = {},
  requestLine = "GET /bot HTTP/1.1",
): string {
  const lines: Record<string, string | null> = {
    Host: "localhost",
    Upgrade: "websocket",
    Connection: "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...changes,
  };
  const text = Object.entries(lines).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return [requestLine, ...text, "", ""].join("\r\n");
}

/** Sends the bytes to the server's port and returns everything it sends until it closes. */
export async function exchange(baseUrl: string, bytes: string): Promise<string> {
  const socket = dial(baseUrl);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes);
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return Buffer.concat(chunks).toString();
}

export function dial(baseUrl: string, allowHalfOpen = false): Socket {
  const socket = connect({ port: Number(new URL(baseUrl).port), host: "127.0.0.1", allowHalfOpen });
  socket.on("error", () => {});
  return socket;
}

/** Opens the bot socket by hand; resolves once the upgrade is answered. */
export async function openRaw(
  baseUrl: string,
  token: string,
  headers: Record<string, string | null> = {},
): Promise<RawSocket> {
  const socket = dial(baseUrl);
  let bytes = Buffer.alloc(0);
  const ended = new Promise<number | null>((resolve) => {
    socket.once("close", () => resolve(closeCodeIn(framesIn(bytes))));
  });
  socket.write(upgradeHead({ Authorization: `Bearer ${token}`, ...headers }));
  const head = await new Promise<string>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf("\r\n\r\n");
      if (end !== -1 && bytes.toString("latin1", 0, 4) === "HTTP") {
        resolve(bytes.toString("latin1", 0, end));
        bytes = bytes.subarray(end + 4);
      }
    });
  });
  return {
    socket,
    head,
    write: (...frames) => void socket.write(Buffer.concat(frames)),
    frames: () => framesIn(bytes),
    texts: () =>
      framesIn(bytes)
        .filter(({ opcode }) => opcode === OPCODES.text)
        .map(({ payload }) => JSON.parse(payload.toString()) as Record<string, unknown>),
    ended,
  };
}

/** Complete frames of a server, which are never masked. */
function framesIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const [length, size] = statedLength(bytes, at + 1);
    const start = at + 1 + size;
    if (start + length > bytes.length) break;
    const payload = bytes.subarray(start, start + length);
    frames.push({ opcode: bytes[at]! & 0x0f, payload });
    at = start + length;
  }
  return frames;
}

function statedLength(bytes: Buffer, at: number): [length: number, size: number] {
  const short = bytes[at]! & 0x7f;
  if (short < 126) return [short, 1];
  if (short === 126) return bytes.length < at + 3 ? [Infinity, 3] : [bytes.readUInt16BE(at + 1), 3];
  return bytes.length < at + 9 ? [Infinity, 9] : [Number(bytes.readBigUInt64BE(at + 1)), 9];
}

function closeCodeIn(frames: Frame[]): number | null {
  const close = frames.find(({ opcode }) => opcode === CLOSE_OPCODE);
  return close === undefined || close.payload.length < 2 ? null : close.payload.readUInt16BE(0);
}
