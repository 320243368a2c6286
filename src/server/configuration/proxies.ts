// Addresses of proxies that are trusted about their clients.

import { BlockList, isIP } from "node:net";

const BITS = { 4: 32, 6: 128 } as const;

type Network = { address: string; family: 4 | 6; prefix: number };

/** An address, or a network such as 10.0.0.0/8; null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || rest.length > 0) return null;
  const bits = prefix === undefined ? BITS[family] : Number(prefix);
  const isRight = prefix === undefined || (/^\d{1,3}$/.test(prefix) && bits <= BITS[family]);
  return isRight ? { address, family, prefix: bits } : null;
}

export function proxyList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === null) throw new Error(`${text} is no network`);
    list.addSubnet(network.address, network.prefix, network.family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
