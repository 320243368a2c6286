// A byte-level WebSocket client that can violate any rule of the protocol (RFC 6455).

import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import type { Socket } from "node:net";

type Frame = { opcode: number; payload: Buffer };

export type FrameOptions = {
  fin?: boolean;
  masked?: boolean;
  reserved?: number;
  /** Payload length to put in the header. Defaults to the real length. */
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
  /** Status line and headers of the upgrade response, including the empty line. */
  readonly head: string;
  write(...frames: Buffer[]): void;
  frames(): Frame[];
  textMessages(): Record<string, unknown>[];
  /** Resolves with the close code when the connection ends, or with null if it ends without one. */
  readonly ended: Promise<number | null>;
};

/** Returns one frame as bytes. Frames are masked by default, as clients are required to do. */
export function createFrame(
  opcode: number,
  payload: string | Buffer,
  options: FrameOptions = {},
): Buffer {
  const { fin = true, masked = true, reserved = 0, length } = options;
  const body = Buffer.from(payload);
  const firstByte = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  const header = [Buffer.from([firstByte]), encodeLength(length ?? BigInt(body.length), masked)];
  if (!masked) return Buffer.concat([...header, body]);
  const mask = randomBytes(4);
  return Buffer.concat([...header, mask, body.map((byte, offset) => byte ^ mask[offset % 4]!)]);
}

function encodeLength(length: bigint, masked: boolean): Buffer {
  const maskBit = masked ? 0x80 : 0;
  if (length < 126n) return Buffer.from([maskBit | Number(length)]);
  const extendedLength = Buffer.alloc(length < 65_536n ? 3 : 9);
  extendedLength[0] = maskBit | (length < 65_536n ? 126 : 127);
  if (length < 65_536n) extendedLength.writeUInt16BE(Number(length), 1);
  else extendedLength.writeBigUInt64BE(length, 1);
  return extendedLength;
}

export const createTextFrame = (message: object): Buffer =>
  createFrame(OPCODES.text, JSON.stringify(message));

export function createCloseFrame(code: number, reason = ""): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return createFrame(OPCODES.close, Buffer.concat([payload, Buffer.from(reason)]));
}

/**
 * Returns the headers of a bot-socket upgrade request. A value of `null` removes a header, and any
 * other value sets it.
 */
export function createUpgradeRequest(
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

/**
 * Sends the bytes to the server's port. Resolves with everything received until the connection
 * closes.
 */
export async function sendRawRequest(baseUrl: string, bytes: string): Promise<string> {
  const socket = openTcpSocket(baseUrl);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes);
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return Buffer.concat(chunks).toString();
}

export function openTcpSocket(baseUrl: string, allowHalfOpen = false): Socket {
  const socket = connect({ port: Number(new URL(baseUrl).port), host: "127.0.0.1", allowHalfOpen });
  socket.on("error", () => {});
  return socket;
}

export async function openRawWebSocket(
  baseUrl: string,
  token: string,
  headers: Record<string, string | null> = {},
): Promise<RawSocket> {
  const socket = openTcpSocket(baseUrl);
  let bytes = Buffer.alloc(0);
  const ended = new Promise<number | null>((resolve) => {
    socket.once("close", () => resolve(closeCodeOf(parseFrames(bytes))));
  });
  socket.write(createUpgradeRequest({ Authorization: `Bearer ${token}`, ...headers }));
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
    frames: () => parseFrames(bytes),
    textMessages: () =>
      parseFrames(bytes)
        .filter(({ opcode }) => opcode === OPCODES.text)
        .map(({ payload }) => JSON.parse(payload.toString()) as Record<string, unknown>),
    ended,
  };
}

function parseFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  let offset = 0;
  while (offset + 2 <= bytes.length) {
    const [length, size] = readLength(bytes, offset + 1);
    const start = offset + 1 + size;
    if (start + length > bytes.length) break;
    const payload = bytes.subarray(start, start + length);
    frames.push({ opcode: bytes[offset]! & 0x0f, payload });
    offset = start + length;
  }
  return frames;
}

function readLength(bytes: Buffer, offset: number): [length: number, size: number] {
  const shortLength = bytes[offset]! & 0x7f;
  if (shortLength < 126) return [shortLength, 1];
  if (shortLength === 126)
    return bytes.length < offset + 3 ? [Infinity, 3] : [bytes.readUInt16BE(offset + 1), 3];
  return bytes.length < offset + 9 ? [Infinity, 9] : [Number(bytes.readBigUInt64BE(offset + 1)), 9];
}

function closeCodeOf(frames: Frame[]): number | null {
  const closeFrameReceived = frames.find(({ opcode }) => opcode === CLOSE_OPCODE);
  return closeFrameReceived === undefined || closeFrameReceived.payload.length < 2
    ? null
    : closeFrameReceived.payload.readUInt16BE(0);
}
