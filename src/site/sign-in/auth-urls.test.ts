import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  returnPath,
  isSignUpAddress,
  parseAuthCallback,
  redirectTargetOf,
  signInPath,
  signUpPath,
  withoutConsent,
} from "./auth-urls.ts";

describe("return page", () => {
  const allowedOrigins = [
    "/create-bot",
    "/account/authorize?authorization_id=a%26b",
    "/ladders?ladder=cup",
    "/achievements?event=finals",
  ];
  for (const page of allowedOrigins)
    it(`is followed: ${page}`, () => {
      for (const path of [signInPath(page), signUpPath(page)])
        assert.equal(returnPath(new URL(path, "http://x").search), page);
      assert.ok(
        isSignUpAddress(signUpPath(page).replace(/^[^?]*/, "")) &&
          !isSignUpAddress(signInPath(page)),
      );
    });

  const deniedOrigins = [
    "https://evil.example/create-bot",
    "//evil.example/create-bot",
    "/\\evil.example/create-bot",
    "/\t/evil.example/create-bot",
    "javascript:alert(1)",
    "create-bot",
    "/account",
    "/create-bot/../nowhere",
    "/",
    "",
  ];
  for (const page of deniedOrigins)
    it(`is ignored for another URL: ${JSON.stringify(page)}`, () => {
      assert.equal(returnPath(`?${new URLSearchParams({ from: page })}`), null);
    });
});

describe("auth callback", () => {
  const rows: [address: string, arrival: object, left: string][] = [
    ["/account", { kind: "none" }, "/account"],
    ["/account#keys", { kind: "none" }, "/account#keys"],
    [
      "/account?from=%2Fcreate-bot&code=abc",
      { kind: "code", code: "abc", flow: null, link: null },
      "/account?from=%2Fcreate-bot",
    ],
    [
      "/account?sb_flow_id=f1&code=abc",
      { kind: "code", code: "abc", flow: "f1", link: null },
      "/account",
    ],
    [
      "/account?code=abc#type=signup&token_hash=t1",
      { kind: "code", code: "abc", flow: null, link: { purpose: "signup", invite: "t1" } },
      "/account",
    ],
    [
      "/account?from=%2Fcreate-bot#type=recovery&token_hash=t1",
      { kind: "link", link: { purpose: "recovery", invite: "t1" } },
      "/account?from=%2Fcreate-bot",
    ],
    [
      "/account#type=email_change",
      { kind: "link", link: { purpose: "email_change", invite: null } },
      "/account",
    ],
    ["/account#type=other&token_hash=t1", { kind: "none" }, "/account#type=other&token_hash=t1"],
    [
      "/account?error=access_denied&error_code=otp_expired&error_description=x#error=access_denied",
      { kind: "refused", code: "otp_expired" },
      "/account",
    ],
    [
      "/account#error=access_denied&error_code=otp_expired&sb=",
      { kind: "refused", code: "otp_expired" },
      "/account",
    ],
    [
      "/account?error_code=otp_expired&error=x#type=recovery&token_hash=t1",
      { kind: "link", link: { purpose: "recovery", invite: "t1" } },
      "/account",
    ],
    [
      "/account?error_code=otp_expired&code=abc#type=recovery&token_hash=t1",
      { kind: "code", code: "abc", flow: null, link: { purpose: "recovery", invite: "t1" } },
      "/account",
    ],
    [
      "/account?error_code=bad_code_verifier#type=email_change",
      { kind: "refused", code: "bad_code_verifier" },
      "/account",
    ],
    ["/account#access_token=secret&refresh_token=secret", { kind: "none" }, "/account"],
  ];
  for (const [path, arrival, remainingAddress] of rows)
    it(`is parsed and removed from ${path}`, () => {
      assert.deepEqual(parseAuthCallback(`https://ladder.example${path}`), {
        callback: arrival,
        address: remainingAddress,
      });
    });
});

it("a link opened in another browser doesn't lead to a consent page", () => {
  const rows = [
    ["?from=%2Faccount%2Fauthorize%3Fauthorization_id%3Dx", ""],
    ["?new=1&from=%2Faccount%2Fauthorize", "?new=1"],
    ["?from=%2Fcreate-bot", "?from=%2Fcreate-bot"],
    ["", ""],
  ] as const;
  for (const [search, remainingAddress] of rows)
    assert.equal(withoutConsent(search), remainingAddress);
});

describe("redirect to an app", () => {
  const rows: [address: string, back: object | null][] = [
    ["https://client.example/cb?x=1", { kind: "site", name: "client.example" }],
    ["https://client.example:8443/cb", { kind: "site", name: "client.example:8443" }],
    ["http://127.0.0.1:5000/cb", { kind: "here", name: "127.0.0.1:5000" }],
    ["http://127.1.2.3/cb", { kind: "here", name: "127.1.2.3" }],
    ["http://localhost/cb", { kind: "here", name: "localhost" }],
    ["http://[::1]:9/cb", { kind: "here", name: "[::1]:9" }],
    ["cursor://anysphere.cursor/oauth", { kind: "app", name: "cursor:" }],
    ["com.example.app:/oauth", { kind: "app", name: "com.example.app:" }],
    ["http://client.example/cb", null],
    ["http://localhost.evil.example/cb", null],
    ["http://127.0.0.1.evil.example/cb", null],
    ["https://user:pass@client.example/", null],
    ["javascript:alert(1)", null],
    ["JavaScript:alert(1)", null],
    [" javascript:alert(1)", null],
    ["data:text/html,x", null],
    ["file:///etc/passwd", null],
    ["vbscript:x", null],
    ["blob:https://client.example/x", null],
    ["about:blank", null],
    ["intent://x#Intent;end", null],
    ["ms-msdt:/id", null],
    ["myapp:/cb", null],
    ["no URL", null],
  ];
  for (const [address, redirectTarget] of rows)
    it(`${redirectTarget === null ? "is rejected" : "is accepted"}: ${address}`, () => {
      assert.deepEqual(redirectTargetOf(address), redirectTarget);
    });
});
