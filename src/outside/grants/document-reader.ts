// Reads a small document from an address that a stranger chose: over https alone, from public
// addresses alone, without following redirects, in bounded time and size. The address is checked
// when the connection is made, so a name that changes what it points to gains nothing.

import { lookup } from "node:dns";
import type { LookupAddress, LookupOptions } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { RequestOptions } from "node:https";
import { BlockList, isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";

import { SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

const DOCUMENT_BYTES = FIXED.program_document_bytes;
const DOCUMENT_MS = FIXED.program_document_read_s * SECOND_MS;

/** Networks that are not the public internet: RFC 6890 and what came later. */
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

/** Unicast addresses that are given out; all others are private or something else. */
const GLOBAL_IPV6 = "2000::";
const SPECIAL_IPV6: readonly [network: string, bits: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

function blocked(networks: readonly (readonly [string, number])[], family: "ipv4" | "ipv6") {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

const PRIVATE_IPV4 = blocked(
  PRIVATE_NETWORKS.map(([network, bits]) => [network, bits] as const),
  "ipv4",
);
const PUBLIC_IPV6 = blocked([[GLOBAL_IPV6, 3]], "ipv6");
const NOT_PUBLIC_IPV6 = blocked(SPECIAL_IPV6, "ipv6");

/** Whether an address is one of the public internet. */
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

export type ReaderOptions = {
  isAllowed?: (address: string) => boolean;
  /** How the other side shows who it is, if not by a usual certificate. */
  connection?: ConnectionOptions;
  /** Milliseconds until everything must have arrived. */
  ms?: number;
};

/** Rejects unless the whole document arrives, with status 200. */
export async function readDocument(
  url: URL,
  { isAllowed = isPublicAddress, connection = {}, ms = DOCUMENT_MS }: ReaderOptions = {},
): Promise<string> {
  if (url.protocol !== "https:") throw new Error("only https is read");
  const host = url.hostname.replaceAll(/[[\]]/g, "");
  if (isIP(host) !== 0 && !isAllowed(host)) throw new Error("the address is not public");
  const signal = AbortSignal.timeout(ms);
  const response = await respond(url, {
    ...connection,
    agent: false,
    signal,
    headers: { Accept: "application/json", "User-Agent": "Bout" },
    lookup: (name, options, done) => {
      lookup(name, { ...options, all: true }, checked(isAllowed, options, done));
    },
  });
  try {
    return await bodyOf(response);
  } finally {
    response.destroy();
  }
}

type Done = (
  error: NodeJS.ErrnoException | null,
  found: string | LookupAddress[],
  family?: number,
) => void;

/** Passes on the addresses of a name if all of them are allowed. */
function checked(isAllowed: (address: string) => boolean, { all }: LookupOptions, done: Done) {
  return (error: NodeJS.ErrnoException | null, found: LookupAddress[]): void => {
    if (error !== null) return done(error, []);
    const [first] = found;
    if (first === undefined || !found.every(({ address }) => isAllowed(address)))
      return done(new Error("the address is not public"), []);
    if (all === true) return done(null, found);
    return done(null, first.address, first.family);
  };
}

function respond(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, options).once("response", resolve).once("error", reject).end();
  });
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  if (response.statusCode !== 200) throw new Error(`the answer was ${response.statusCode}`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > DOCUMENT_BYTES) throw new Error("the document is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
