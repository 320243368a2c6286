// Reads a small document from an untrusted URL, over HTTPS from public addresses only. Redirects
// aren't followed, and time and size are limited. Addresses are checked when connecting, which
// prevents DNS rebinding.

import { lookup } from "node:dns";
import type { LookupAddress, LookupOptions } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { RequestOptions } from "node:https";
import { BlockList, isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";

import { SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

const DOCUMENT_BYTES = FIXED_LIMITS.program_document_bytes;
const DOCUMENT_MS = FIXED_LIMITS.program_document_read_s * SECOND_MS;

/** Special-purpose IPv4 networks (RFC 6890 and later additions). */
const PRIVATE_NETWORKS: readonly [network: string, bits: number, family: "ipv4" | "ipv6"][] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.0.2.0", 24, "ipv4"],
  ["192.31.196.0", 24, "ipv4"],
  ["192.52.193.0", 24, "ipv4"],
  ["192.88.99.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["192.175.48.0", 24, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["198.51.100.0", 24, "ipv4"],
  ["203.0.113.0", 24, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
];

/** Allocated IPv6 unicast addresses. All other IPv6 addresses are private or special. */
const GLOBAL_IPV6 = "2000::";
const SPECIAL_IPV6: readonly [network: string, bits: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

function blockListOf(networks: readonly (readonly [string, number])[], family: "ipv4" | "ipv6") {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

const PRIVATE_IPV4 = blockListOf(
  PRIVATE_NETWORKS.map(([network, bits]) => [network, bits] as const),
  "ipv4",
);
const PUBLIC_IPV6 = blockListOf([[GLOBAL_IPV6, 3]], "ipv6");
const NOT_PUBLIC_IPV6 = blockListOf(SPECIAL_IPV6, "ipv6");

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !PRIVATE_IPV4.check(address, "ipv4");
    case 6:
      return PUBLIC_IPV6.check(address, "ipv6") && !NOT_PUBLIC_IPV6.check(address, "ipv6");
    default:
      return false;
  }
}

export type DocumentReaderOptions = {
  isAllowed?: (address: string) => boolean;
  /** Connection options, used in tests to authenticate the server without a certificate. */
  connection?: ConnectionOptions;
  ms?: number;
};

/**
 * Returns the document's text. Rejects unless the whole document arrives in time with status 200.
 */
export async function readDocument(
  url: URL,
  { isAllowed = isPublicAddress, connection = {}, ms = DOCUMENT_MS }: DocumentReaderOptions = {},
): Promise<string> {
  if (url.protocol !== "https:") throw new Error("only https is allowed");
  const host = url.hostname.replaceAll(/[[\]]/g, "");
  if (isIP(host) !== 0 && !isAllowed(host)) throw new Error("address is not public");
  const signal = AbortSignal.timeout(ms);
  const response = await sendRequest(url, {
    ...connection,
    agent: false,
    signal,
    headers: { Accept: "application/json", "User-Agent": "Bout" },
    lookup: (name, options, callback) => {
      lookup(name, { ...options, all: true }, checkedLookup(isAllowed, options, callback));
    },
  });
  try {
    return await bodyOf(response);
  } finally {
    response.destroy();
  }
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  addresses: string | LookupAddress[],
  family?: number,
) => void;

function checkedLookup(
  isAllowed: (address: string) => boolean,
  { all }: LookupOptions,
  callback: LookupCallback,
) {
  return (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]): void => {
    if (error !== null) return callback(error, []);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
      return callback(new Error("address is not public"), []);
    if (all === true) return callback(null, addresses);
    return callback(null, first.address, first.family);
  };
}

function sendRequest(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, options).once("response", resolve).once("error", reject).end();
  });
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  if (response.statusCode !== 200) throw new Error(`response status ${response.statusCode}`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > DOCUMENT_BYTES) throw new Error("document is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
