// Who sent a request: the address of its socket, or what our proxies say about it.

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { BlockList } from "node:net";

/**
 * Groups of hex digits in an IPv6 address that name a network: a customer usually has a whole one.
 */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * The name under which requests are counted: an IPv4 address, or an IPv6 network of 64 bits. Null
 * for requests made inside the process. `X-Forwarded-For` counts as far as trusted proxies wrote
 * it.
 */
export function callerOf(request: IncomingMessage, proxies: BlockList): string | null {
  const peer = request.socket.remoteAddress ?? "";
  if (isIP(peer) === 0) return null;
  const header = request.headers["x-forwarded-for"] ?? "";
  const said = String(header)
    .split(",")
    .map((part) => part.trim());
  return networkOf(clientOf(peer, said, proxies));
}

/** Walks from the nearest proxy outwards for as long as each address is trusted. */
function clientOf(peer: string, said: readonly string[], proxies: BlockList): string {
  let furthest = peer;
  for (const address of said.toReversed()) {
    if (!isTrusted(furthest, proxies) || isIP(address) === 0) break;
    furthest = address;
  }
  return furthest;
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const plain = withoutMapping(address);
  return proxies.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
}

/** Unwraps an IPv4 address as an IPv6 socket shows it. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

const groupsIn = (part: string): string[] => part.split(":").filter(Boolean);

function networkOf(address: string): string {
  const plain = withoutMapping(address);
  if (isIP(plain) !== 6) return plain;
  const [head = "", tail = ""] = plain.replace(/%.*$/s, "").toLowerCase().split("::");
  const [before, after] = [groupsIn(head), groupsIn(tail)];
  const zeroes = Array<string>(Math.max(0, GROUPS - before.length - after.length)).fill("0");
  const groups = [...before, ...zeroes, ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
