// A player's client for a running server. Signs up and signs in over HTTP, and reads emails from
// the outbox.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import type { OutboxLine } from "#adapters/mail/outbox.ts";

const TEST_PASSWORD = "correct horse battery";

type ApiResult = { status: number; body: Record<string, unknown> };

export type AccountClient = {
  /** Calls the identity provider with its publishable key. */
  requestProvider: (method: string, path: string, body?: object) => Promise<ApiResult>;
  requestLadder: (
    method: string,
    path: string,
    options?: { token?: string; body?: object },
  ) => Promise<ApiResult>;
  signIn: (email: string) => Promise<string>;
  /** Signs up on a server that doesn't confirm email addresses. Returns the access token. */
  signUp: (email: string) => Promise<string>;
  /** Signs up and confirms with the 6-digit code from the email. Returns the access token. */
  signUpAndConfirm: (email: string, data: string) => Promise<string>;
};

/** `baseUrl` is where the server listens, which may differ from its public URL. */
export async function createAccountClient(baseUrl: string): Promise<AccountClient> {
  const requestLadder: AccountClient["requestLadder"] = async (
    method,
    path,
    { token, body } = {},
  ) => {
    const headers = {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    };
    return send(baseUrl + path, method, headers, body);
  };
  const { accounts } = (await requestLadder("GET", "/api")).body as {
    accounts: { publishable_key: string };
  };
  const requestProvider: AccountClient["requestProvider"] = async (method, path, body) => {
    const headers = { apikey: accounts.publishable_key, "Content-Type": "application/json" };
    const versionedHeaders = { ...headers, "X-Supabase-Api-Version": "2024-01-01" };
    return send(`${baseUrl}/auth/v1${path}`, method, versionedHeaders, body);
  };
  const signIn = async (email: string) =>
    accessTokenOf(
      await requestProvider("POST", "/token?grant_type=password", {
        email,
        password: TEST_PASSWORD,
      }),
    );
  const signUp = async (email: string) =>
    accessTokenOf(await requestProvider("POST", "/signup", { email, password: TEST_PASSWORD }));
  const join: AccountClient["signUpAndConfirm"] = async (email, data) => {
    const password = TEST_PASSWORD;
    const { status, body } = await requestProvider("POST", "/signup", { email, password });
    assert.equal(status, 200, JSON.stringify(body));
    const { code } = await waitForEmail(data, email);
    return accessTokenOf(
      await requestProvider("POST", "/verify", { type: "signup", email, token: code, password }),
    );
  };
  return { requestProvider, requestLadder, signIn, signUp, signUpAndConfirm: join };
}

async function send(
  url: string,
  method: string,
  headers: HeadersInit,
  body?: object,
): Promise<ApiResult> {
  const requestBody = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers, ...requestBody });
  const text = await response.text();
  return {
    status: response.status,
    body: text === "" ? {} : (JSON.parse(text) as ApiResult["body"]),
  };
}

function accessTokenOf({ status, body }: ApiResult): string {
  assert.equal(status, 200, JSON.stringify(body));
  return String(body["access_token"]);
}

/** Waits for an email to the address and returns the latest one from the data folder's outbox. */
export async function waitForEmail(data: string, address: string): Promise<OutboxLine> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const text = await readFile(join(data, "outbox.jsonl"), "utf8").catch(() => "");
    const lines = text.split("\n").slice(0, -1);
    const emails = lines.map((line) => JSON.parse(line) as OutboxLine);
    const email = emails.findLast(({ to }) => to === address);
    if (email !== undefined) return email;
    await setTimeout(10);
  }
  return assert.fail(`no email arrived for ${address}`);
}
