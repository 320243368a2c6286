// Programs that want to act for people: how they register, and how they show who they are.

import { isStorable } from "#data/access/storable.ts";
import { hashToken, isTokenOf } from "#data/access/token.ts";
import type { ClientAuthMethod, ClientRecord } from "#data/store/identity-grants.ts";
import { seconds } from "#outside/identity/access-token.ts";
import { isLoopback } from "#outside/identity/address.ts";
import type { IdentityAnswer } from "#outside/identity/answer.ts";
import { randomText, textOf } from "#outside/identity/ask.ts";
import type { Ask, IdentityParts } from "#outside/identity/ask.ts";
import { isOAuthRefused } from "#outside/identity/errors.ts";
import type { OAuthRefusal } from "#outside/identity/errors.ts";

import { documentedClient, isDocumentId } from "./client-document.ts";
import { readClient } from "./client-facts.ts";

const SECRET_BYTES = 32;

/** RFC 7591. Clients are public strangers: a registration gives them nothing but an id. */
export async function registerClient(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("register", ask.caller);
  if (limit !== null) return limit;
  const read = readClient(ask.body, "client_secret_basic", parts.settings());
  if (isOAuthRefused(read)) return read;
  const secret = read.authMethod === "none" ? null : randomText(parts, SECRET_BYTES);
  const client: ClientRecord = {
    ...read,
    id: parts.newId(),
    kind: "dynamic",
    secretHash: secret === null ? null : hashToken(secret),
    createdAt: ask.now.toISOString(),
  };
  await parts.store.grants.putClient(client);
  return { status: 201, body: registration(client, secret, ask.now) };
}

function registration(client: ClientRecord, secret: string | null, now: Date): object {
  return {
    client_id: client.id,
    client_id_issued_at: seconds(now),
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    client_type: secret === null ? "public" : "confidential",
    client_name: client.name,
    ...(client.uri !== null && { client_uri: client.uri }),
    ...(client.logoUri !== null && { logo_uri: client.logoUri }),
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: client.authMethod,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    registration_type: "dynamic",
    created_at: client.createdAt,
    updated_at: client.createdAt,
  };
}

/** Whether the client named this address; programs of this machine choose their port late. */
export function isRegistered(client: ClientRecord, redirectUri: string): boolean {
  return client.redirectUris.some(
    (known) => known === redirectUri || isSameButPort(known, redirectUri),
  );
}

function isSameButPort(known: string, given: string): boolean {
  const [one, other] = [URL.parse(known), URL.parse(given)];
  if (one === null || other === null || one.protocol !== "http:" || !isLoopback(one)) return false;
  if (given.includes("#")) return false;
  one.port = other.port;
  return one.href === other.href;
}

/** The client of that id, registered or by its own document; or why there is none. */
export async function findClient(
  parts: IdentityParts,
  id: string,
  now: Date,
): Promise<ClientRecord | OAuthRefusal> {
  const unknown: OAuthRefusal = { oauth: "invalid_client", text: "There is no such client." };
  if (!isStorable(id)) return unknown;
  const known = await parts.store.grants.client(id);
  if (!isDocumentId(id)) return known ?? unknown;
  return parts.settings().clientDocuments ? documentedClient(parts, id, known, now) : unknown;
}

/** The client that sent a request to the token endpoint, if it is who it says. */
export async function authenticateClient(
  parts: IdentityParts,
  ask: Ask,
): Promise<ClientRecord | OAuthRefusal> {
  const basic = readBasic(ask.request.headers.get("authorization"));
  const id = basic?.id ?? textOf(ask.body, "client_id") ?? "";
  const wrong: OAuthRefusal = {
    oauth: "invalid_client",
    text: "The client is not who it says.",
    status: 401,
  };
  const client = isStorable(id) ? await parts.store.grants.client(id) : null;
  if (client === null) return wrong;
  const sent = basic === null ? textOf(ask.body, "client_secret") : basic.secret;
  const method: ClientAuthMethod =
    basic !== null ? "client_secret_basic" : sent === null ? "none" : "client_secret_post";
  if (method !== client.authMethod) return wrong;
  if (client.secretHash === null) return method === "none" ? client : wrong;
  return isTokenOf(client.secretHash, sent ?? "") ? client : wrong;
}

const BASIC = /^Basic +([\w+/]{1,4096}={0,2}) *$/i;

/** RFC 6749, 2.3.1: both parts are encoded like those of a form. */
function readBasic(header: string | null): { id: string; secret: string } | null {
  const [, encoded] = BASIC.exec(header ?? "") ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const at = text.indexOf(":");
  if (at < 0) return null;
  const [id, secret] = [text.slice(0, at), text.slice(at + 1)].map(formDecoded);
  return { id: id ?? "", secret: secret ?? "" };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`x=${text.replaceAll("&", "%26")}`).get("x") ?? "";
}
