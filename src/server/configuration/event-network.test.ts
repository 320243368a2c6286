import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, it } from "node:test";

import { FIXED, LIMITS } from "#core/words/limits.ts";
import { openLimits } from "#outside/identity/limits.ts";
import { openAdmission } from "#web/http/admission.ts";

import { readServeOptions } from "./flags.ts";
import { eventScale } from "./proxies.ts";

const FACTOR = FIXED.event_network_factor;
const VENUE = "203.0.113.7";
const OUTSIDE = "203.0.113.8";

/** How many calls are allowed before the first refusal. */
function allowedBefore(isRefused: () => boolean): number {
  let count = 0;
  while (!isRefused()) count += 1;
  return count;
}

describe("event networks", () => {
  it("are IPv4 and IPv6 networks, by repeated flags or a variable", () => {
    const args = ["--event-network", "10.0.0.0/8", "--event-network", "2001:db8::/48"];
    const variable = { BOUT_EVENT_NETWORK: "10.0.0.0/8,2001:db8::/48" };
    for (const options of [readServeOptions(args, {}), readServeOptions([], variable)]) {
      assert.ok(!("error" in options), JSON.stringify(options));
      assert.deepEqual(options["event-network"], ["10.0.0.0/8", "2001:db8::/48"]);
    }
    for (const wrong of ["venue", "10.0.0.0/33", "2001:db8::/129", ""])
      assert.ok("error" in readServeOptions(["--event-network", wrong], {}), wrong);
  });

  it("scale the limits of callers inside them", () => {
    const scaleOf = eventScale(["10.0.0.0/8", "2001:db8:1::/48", "2001:db8:2:3::9/128"], FACTOR);
    const callers = ["10.1.2.3", "2001:db8:1:7::/64", "2001:db8:2:3::/64"];
    assert.deepEqual(callers.map(scaleOf), [FACTOR, FACTOR, FACTOR]);
    const others = ["11.0.0.1", "2001:db8:2:4::/64", "inside"];
    assert.deepEqual(others.map(scaleOf), [1, 1, 1]);
  });

  it("multiply the limits of requests", () => {
    const admission = openAdmission({
      limits: LIMITS,
      now: () => 0,
      callerOf: ({ url }) => url ?? null,
      scaleOf: eventScale([VENUE], FACTOR),
    });
    const writes = (url: string) =>
      allowedBefore(() => admission("writes_per_second", { url } as IncomingMessage) !== null);
    assert.equal(writes(OUTSIDE), LIMITS.writes_burst);
    assert.equal(writes(VENUE), LIMITS.writes_burst * FACTOR);
  });

  it("multiply the limits of sign-ups, but not of wrong passwords", () => {
    const limits = openLimits({
      settings: () => ({ limitsAddresses: true }) as never,
      clock: { now: () => 0, wall: () => new Date(0) } as never,
      scaleOf: eventScale([VENUE], FACTOR),
    });
    const signUps = (caller: string) =>
      allowedBefore(() => limits.address("signup", caller) !== null);
    assert.equal(signUps(OUTSIDE), FIXED.identity_requests);
    assert.equal(signUps(VENUE), FIXED.identity_requests * FACTOR);
    const guesses = allowedBefore(() => limits.passwords.begin(VENUE, "ada", null) !== null);
    assert.equal(guesses, FIXED.wrong_passwords);
  });
});
