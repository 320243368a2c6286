import { BlockList, isIP } from "node:net";

import type { CallerScale } from "#base/token-bucket/token-bucket.ts";

import { rejectValue } from "./flag-values.ts";
import type { FlagParser } from "./flag-values.ts";

const BITS = { 4: 32, 6: 128 } as const;

type Network = { address: string; family: 4 | 6; prefix: number };

/** Parses an address or a network such as 10.0.0.0/8. Returns null if the text is invalid. */
function parseNetwork(text: string): Network | null {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || rest.length > 0) return null;
  const bits = prefix === undefined ? BITS[family] : Number(prefix);
  const isValid = prefix === undefined || (/^\d{1,3}$/.test(prefix) && bits <= BITS[family]);
  return isValid ? { address, family, prefix: bits } : null;
}

export const parseNetworks: FlagParser<readonly string[]> = (value) => {
  const list = value.split(",");
  const isValid = list.every((entry) => parseNetwork(entry) !== null);
  return isValid ? list : rejectValue("comma-separated addresses or networks, such as 10.0.0.0/8");
};

export function networkBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of ranges) {
    const network = parseNetwork(text);
    if (network === null) throw new Error(`not a network: ${text}`);
    list.addSubnet(network.address, network.prefix, network.family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/**
 * IPv6 callers are counted per network of this size, so a smaller network shares its surrounding
 * network's limits.
 */
const CALLER_BITS = 64;

/**
 * Returns a function that returns `factor` for callers in one of the networks and 1 otherwise.
 * Callers are identified in the same way as by `callerOf`.
 */
export function eventScale(ranges: readonly string[], factor: number): CallerScale {
  const callerRanges = ranges.map((text) => {
    const network = parseNetwork(text);
    return network?.family === 6 && network.prefix > CALLER_BITS
      ? `${network.address}/${CALLER_BITS}`
      : text;
  });
  const venueNetworks = networkBlockList(callerRanges);
  return (caller) => {
    const address = caller.replace(/\/\d+$/, "");
    const family = isIP(address);
    if (family === 0) return 1;
    return venueNetworks.check(address, family === 6 ? "ipv6" : "ipv4") ? factor : 1;
  };
}
