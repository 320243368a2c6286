import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, it } from "node:test";

import { openIdentityLimits } from "#adapters/identity/identity-limits.ts";
import { FIXED_LIMITS, DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { openAdmission } from "#web/http/admission.ts";

import { readServeOptions } from "./flags.ts";
import { eventScale } from "./networks.ts";

const FACTOR = FIXED_LIMITS.event_network_factor;
const VENUE = "203.0.113.7";
const OTHER_ADDRESS = "203.0.113.8";

function countAllowed(isRefused: () => boolean): number {
  let count = 0;
  while (!isRefused()) count += 1;
  return count;
}

describe("event networks", () => {
  it("accept IPv4 and IPv6, from repeated flags or a variable", () => {
    const args = ["--event-network", "10.0.0.0/8", "--event-network", "2001:db8::/48"];
    const variable = { BOUT_EVENT_NETWORK: "10.0.0.0/8,2001:db8::/48" };
    for (const options of [readServeOptions(args, {}), readServeOptions([], variable)]) {
      assert.ok(!("error" in options), JSON.stringify(options));
      assert.deepEqual(options["event-network"], ["10.0.0.0/8", "2001:db8::/48"]);
    }
    for (const invalidNetwork of ["venue", "10.0.0.0/33", "2001:db8::/129", ""])
      assert.ok(
        "error" in readServeOptions(["--event-network", invalidNetwork], {}),
        invalidNetwork,
      );
  });

  it("scale the limits for callers inside the network", () => {
    const scaleOf = eventScale(["10.0.0.0/8", "2001:db8:1::/48", "2001:db8:2:3::9/128"], FACTOR);
    const callers = ["10.1.2.3", "2001:db8:1:7::/64", "2001:db8:2:3::/64"];
    assert.deepEqual(callers.map(scaleOf), [FACTOR, FACTOR, FACTOR]);
    const outsideCallers = ["11.0.0.1", "2001:db8:2:4::/64", "inside"];
    assert.deepEqual(outsideCallers.map(scaleOf), [1, 1, 1]);
  });

  it("multiply request limits", () => {
    const admission = openAdmission({
      limits: DEFAULT_LIMITS,
      now: () => 0,
      callerOf: ({ url }) => url ?? null,
      scaleOf: eventScale([VENUE], FACTOR),
    });
    const writes = (url: string) =>
      countAllowed(() => admission("writes_per_second", { url } as IncomingMessage) !== null);
    assert.equal(writes(OTHER_ADDRESS), DEFAULT_LIMITS.writes_burst);
    assert.equal(writes(VENUE), DEFAULT_LIMITS.writes_burst * FACTOR);
  });

  it("multiply sign-up limits but not limits on wrong passwords", () => {
    const limits = openIdentityLimits({
      settings: () => ({ limitsAddresses: true }) as never,
      clock: { now: () => 0, wall: () => new Date(0) } as never,
      scaleOf: eventScale([VENUE], FACTOR),
    });
    const signUps = (caller: string) =>
      countAllowed(() => limits.address("signup", caller) !== null);
    assert.equal(signUps(OTHER_ADDRESS), FIXED_LIMITS.identity_requests);
    assert.equal(signUps(VENUE), FIXED_LIMITS.identity_requests * FACTOR);
    const passwordAttempts = countAllowed(
      () => limits.passwords.begin(VENUE, "ada", null) !== null,
    );
    assert.equal(passwordAttempts, FIXED_LIMITS.wrong_passwords);
  });
});
