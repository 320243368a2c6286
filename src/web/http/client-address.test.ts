import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { BlockList } from "node:net";
import { describe, it } from "node:test";

import { callerOf } from "./client-address.ts";

const proxies = new BlockList();
proxies.addSubnet("10.0.0.0", 8);
proxies.addAddress("127.0.0.1");
proxies.addSubnet("fd00::", 8, "ipv6");

const ROWS: [name: string, peer: string, said: string | null, caller: string | null][] = [
  ["peer without a proxy", "203.0.113.9", null, "203.0.113.9"],
  [
    "T72 X-Forwarded-For of an untrusted peer is ignored",
    "203.0.113.9",
    "198.51.100.1",
    "203.0.113.9",
  ],
  ["X-Forwarded-For of a trusted proxy is used", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["the same as IPv4-mapped IPv6", "::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["last entry of a list", "10.1.2.3", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
  ["T72 earlier entries are ignored", "127.0.0.1", "1.1.1.1,2.2.2.2,198.51.100.1", "198.51.100.1"],
  ["through several proxies", "127.0.0.1", "198.51.100.1, 10.0.0.7, 10.0.0.8", "198.51.100.1"],
  ["own request of a trusted proxy", "10.1.2.3", null, "10.1.2.3"],
  ["words instead of an address", "10.1.2.3", "unknown", "10.1.2.3"],
  ["words before an address", "10.1.2.3", "unknown, 198.51.100.1", "198.51.100.1"],
  ["empty header", "10.1.2.3", "", "10.1.2.3"],
  ["an IPv6 network", "2001:db8:1:2:3:4:5:6", null, "2001:db8:1:2::/64"],
  ["the same, abbreviated", "2001:DB8:1:2::9", null, "2001:db8:1:2::/64"],
  ["leading zeroes", "2001:0db8:0001:0002::9", null, "2001:db8:1:2::/64"],
  ["IPv6 loopback", "::1", null, "0:0:0:0::/64"],
  ["address with a zone", "fe80::1%eth0", null, "fe80:0:0:0::/64"],
  ["IPv4-mapped IPv6 peer", "::ffff:203.0.113.9", null, "203.0.113.9"],
  ["IPv6 proxy", "fd00::7", "2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["request from inside the process", "inside", "198.51.100.1", null],
];

describe("the client address of a request", () => {
  for (const [name, remoteAddress, forwardedFor, caller] of ROWS)
    it(name, () => {
      const headers = forwardedFor === null ? {} : { "x-forwarded-for": forwardedFor };
      const request = { socket: { remoteAddress }, headers } as IncomingMessage;
      assert.equal(callerOf(request, proxies), caller);
    });
});
