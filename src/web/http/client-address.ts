import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { BlockList } from "node:net";

/** Number of 16-bit groups in an IPv6 network prefix. A customer usually has a whole /64. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * Returns the rate-limit key of a client: an IPv4 address or an IPv6 /64 network. Null for requests
 * from inside the process. Trusts only the part of `X-Forwarded-For` written by trusted proxies.
 */
export function callerOf(request: IncomingMessage, proxies: BlockList): string | null {
  const peer = request.socket.remoteAddress ?? "";
  if (isIP(peer) === 0) return null;
  const header = request.headers["x-forwarded-for"] ?? "";
  const forwardedFor = String(header)
    .split(",")
    .map((part) => part.trim());
  return networkOf(clientOf(peer, forwardedFor, proxies));
}

/** Walks from the nearest proxy outwards for as long as the addresses are trusted. */
function clientOf(peer: string, forwardedFor: readonly string[], proxies: BlockList): string {
  let furthest = peer;
  for (const address of forwardedFor.toReversed()) {
    if (!isTrusted(furthest, proxies) || isIP(address) === 0) break;
    furthest = address;
  }
  return furthest;
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const unmappedAddress = unmapAddress(address);
  return proxies.check(unmappedAddress, isIP(unmappedAddress) === 6 ? "ipv6" : "ipv4");
}

function unmapAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

const groupsIn = (part: string): string[] => part.split(":").filter(Boolean);

function networkOf(address: string): string {
  const unmappedAddress = unmapAddress(address);
  if (isIP(unmappedAddress) !== 6) return unmappedAddress;
  const [head = "", tail = ""] = unmappedAddress.replace(/%.*$/s, "").toLowerCase().split("::");
  const [headGroups, tailGroups] = [groupsIn(head), groupsIn(tail)];
  const zeroes = Array<string>(Math.max(0, GROUPS - headGroups.length - tailGroups.length)).fill(
    "0",
  );
  const groups = [...headGroups, ...zeroes, ...tailGroups].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
