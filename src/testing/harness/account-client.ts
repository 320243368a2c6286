// A person at a running server: signs up and in over HTTP, and reads their mails in the outbox.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import type { OutboxLine } from "#outside/mail/outbox.ts";

const PERSONAL_PASSWORD = "correct horse battery";

type Told = { status: number; body: Record<string, unknown> };

export type AccountClient = {
  /** Asks the provider, with its publishable key. */
  identity: (method: string, path: string, body?: object) => Promise<Told>;
  /** Asks the ladder, with a token if one is given. */
  ladder: (
    method: string,
    path: string,
    options?: { token?: string; body?: object },
  ) => Promise<Told>;
  /** Signs in and returns the access token. */
  signIn: (email: string) => Promise<string>;
  /** Signs up where no address has to be confirmed; returns the access token. */
  enter: (email: string) => Promise<string>;
  /** Signs up, and confirms by the six digits of the mail; returns the access token. */
  join: (email: string, data: string) => Promise<string>;
};

/** `baseUrl` is where the server is reached; it may tell people another address. */
export async function personAt(baseUrl: string): Promise<AccountClient> {
  const ladder: AccountClient["ladder"] = async (method, path, { token, body } = {}) => {
    const headers = {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    };
    return send(baseUrl + path, method, headers, body);
  };
  const { accounts } = (await ladder("GET", "/api")).body as {
    accounts: { publishable_key: string };
  };
  const identity: AccountClient["identity"] = async (method, path, body) => {
    const headers = { apikey: accounts.publishable_key, "Content-Type": "application/json" };
    const versioned = { ...headers, "X-Supabase-Api-Version": "2024-01-01" };
    return send(`${baseUrl}/auth/v1${path}`, method, versioned, body);
  };
  const signIn = async (email: string) =>
    tokenIn(
      await identity("POST", "/token?grant_type=password", { email, password: PERSONAL_PASSWORD }),
    );
  const enter = async (email: string) =>
    tokenIn(await identity("POST", "/signup", { email, password: PERSONAL_PASSWORD }));
  const join: AccountClient["join"] = async (email, data) => {
    const password = PERSONAL_PASSWORD;
    const { status, body } = await identity("POST", "/signup", { email, password });
    assert.equal(status, 200, JSON.stringify(body));
    const { code } = await mailTo(data, email);
    return tokenIn(
      await identity("POST", "/verify", { type: "signup", email, token: code, password }),
    );
  };
  return { identity, ladder, signIn, enter, join };
}

async function send(
  url: string,
  method: string,
  headers: HeadersInit,
  body?: object,
): Promise<Told> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers, ...sent });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Told["body"]) };
}

function tokenIn({ status, body }: Told): string {
  assert.equal(status, 200, JSON.stringify(body));
  return String(body["access_token"]);
}

/** The latest mail to an address in the outbox of a data folder, once it is there. */
export async function mailTo(data: string, address: string): Promise<OutboxLine> {
  for (let turn = 0; turn < 500; turn += 1) {
    const text = await readFile(join(data, "outbox.jsonl"), "utf8").catch(() => "");
    const lines = text.split("\n").slice(0, -1);
    const mails = lines.map((line) => JSON.parse(line) as OutboxLine);
    const mail = mails.findLast(({ to }) => to === address);
    if (mail !== undefined) return mail;
    await setTimeout(10);
  }
  return assert.fail(`no mail came to ${address}`);
}
