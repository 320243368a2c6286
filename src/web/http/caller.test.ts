import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { BlockList } from "node:net";
import { describe, it } from "node:test";

import { callerOf } from "./caller.ts";

const proxies = new BlockList();
proxies.addSubnet("10.0.0.0", 8);
proxies.addAddress("127.0.0.1");
proxies.addSubnet("fd00::", 8, "ipv6");

/** Peer, X-Forwarded-For, expected client. */
const ROWS: [name: string, peer: string, said: string | null, caller: string | null][] = [
  ["a peer without a proxy", "203.0.113.9", null, "203.0.113.9"],
  ["T72 what a stranger says is ignored", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["a trusted proxy is believed", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["as IPv4 in IPv6", "::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["of a list its end", "10.1.2.3", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
  [
    "T72 what was there before is ignored",
    "127.0.0.1",
    "1.1.1.1,2.2.2.2,198.51.100.1",
    "198.51.100.1",
  ],
  ["through several proxies", "127.0.0.1", "198.51.100.1, 10.0.0.7, 10.0.0.8", "198.51.100.1"],
  ["a trusted proxy that asks for itself", "10.1.2.3", null, "10.1.2.3"],
  ["words are no address", "10.1.2.3", "unknown", "10.1.2.3"],
  ["words before an address", "10.1.2.3", "unknown, 198.51.100.1", "198.51.100.1"],
  ["nothing at all", "10.1.2.3", "", "10.1.2.3"],
  ["one network of IPv6", "2001:db8:1:2:3:4:5:6", null, "2001:db8:1:2::/64"],
  ["the same, written shorter", "2001:DB8:1:2::9", null, "2001:db8:1:2::/64"],
  ["leading zeroes", "2001:0db8:0001:0002::9", null, "2001:db8:1:2::/64"],
  ["the loopback of IPv6", "::1", null, "0:0:0:0::/64"],
  ["a zone behind an address", "fe80::1%eth0", null, "fe80:0:0:0::/64"],
  ["IPv4 in IPv6 is itself", "::ffff:203.0.113.9", null, "203.0.113.9"],
  ["a proxy of IPv6", "fd00::7", "2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["a request from inside", "inside", "198.51.100.1", null],
];

describe("the caller of a request", () => {
  for (const [name, remoteAddress, said, caller] of ROWS)
    it(name, () => {
      const headers = said === null ? {} : { "x-forwarded-for": said };
      const request = { socket: { remoteAddress }, headers } as IncomingMessage;
      assert.equal(callerOf(request, proxies), caller);
    });
});
