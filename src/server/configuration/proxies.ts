// Networks that flags name: proxies that are trusted about their clients, and venues of events.

import { BlockList, isIP } from "node:net";

import type { ScaleOf } from "#base/token-bucket/token-bucket.ts";

import { refuse } from "./flag-values.ts";
import type { Reader } from "./flag-values.ts";

const BITS = { 4: 32, 6: 128 } as const;

type Network = { address: string; family: 4 | 6; prefix: number };

/** An address, or a network such as 10.0.0.0/8; null for anything else. */
function parseNetwork(text: string): Network | null {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || rest.length > 0) return null;
  const bits = prefix === undefined ? BITS[family] : Number(prefix);
  const isRight = prefix === undefined || (/^\d{1,3}$/.test(prefix) && bits <= BITS[family]);
  return isRight ? { address, family, prefix: bits } : null;
}

/** Reads a flag with such a list, separated by commas. */
export const networks: Reader<readonly string[]> = (value) => {
  const list = value.split(",");
  const isRight = list.every((one) => parseNetwork(one) !== null);
  return isRight ? list : refuse("addresses or networks such as 10.0.0.0/8, with commas");
};

export function proxyList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === null) throw new Error(`${text} is no network`);
    list.addSubnet(network.address, network.prefix, network.family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/** Callers are counted by IPv6 networks of this size, so that smaller ones have the limits of it. */
const CALLER_BITS = 64;

/** Returns `factor` for callers, named as by `callerOf`, in one of the networks. */
export function eventScale(networks: readonly string[], factor: number): ScaleOf {
  const widened = networks.map((text) => {
    const network = parseNetwork(text);
    return network?.family === 6 && network.prefix > CALLER_BITS
      ? `${network.address}/${CALLER_BITS}`
      : text;
  });
  const venues = proxyList(widened);
  return (caller) => {
    const address = caller.replace(/\/\d+$/, "");
    const family = isIP(address);
    if (family === 0) return 1;
    return venues.check(address, family === 6 ? "ipv6" : "ipv4") ? factor : 1;
  };
}
