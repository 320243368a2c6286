import { unixSeconds } from "#adapters/identity/access-token.ts";
import { randomText, bodyText } from "#adapters/identity/identity-context.ts";
import type { IdentityContext, IdentityServices } from "#adapters/identity/identity-context.ts";
import { isOAuthError } from "#adapters/identity/identity-errors.ts";
import type { OAuthError } from "#adapters/identity/identity-errors.ts";
import type { IdentityResponse } from "#adapters/identity/identity-response.ts";
import { isLoopback } from "#adapters/identity/redirect-target.ts";
import { isStorable } from "#data/credentials/storable-text.ts";
import { hashToken, matchesTokenHash } from "#data/credentials/token.ts";
import type { ClientAuthMethod, ClientRecord } from "#data/store/identity-grants.ts";

import { clientFromDocument, isDocumentId } from "./client-document.ts";
import { parseClientMetadata } from "./client-metadata.ts";

const SECRET_BYTES = 32;

/** Registers a client (RFC 7591). Registration is open to anyone, so clients are untrusted. */
export async function registerClient(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("register", context.caller);
  if (limit !== null) return limit;
  const metadata = parseClientMetadata(context.body, "client_secret_basic", services.settings());
  if (isOAuthError(metadata)) return metadata;
  const secret = metadata.authMethod === "none" ? null : randomText(services, SECRET_BYTES);
  const client: ClientRecord = {
    ...metadata,
    id: services.newId(),
    kind: "dynamic",
    secretHash: secret === null ? null : hashToken(secret),
    createdAt: context.now.toISOString(),
  };
  await services.store.grants.putClient(client);
  return { status: 201, body: registration(client, secret, context.now) };
}

function registration(client: ClientRecord, secret: string | null, now: Date): object {
  return {
    client_id: client.id,
    client_id_issued_at: unixSeconds(now),
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

/** Returns whether the client registered this redirect URI. Local apps may use any port. */
export function isRegistered(client: ClientRecord, redirectUri: string): boolean {
  return client.redirectUris.some(
    (registeredUri) =>
      registeredUri === redirectUri || matchesExceptPort(registeredUri, redirectUri),
  );
}

function matchesExceptPort(registeredUri: string, requestedUri: string): boolean {
  const [registered, requested] = [URL.parse(registeredUri), URL.parse(requestedUri)];
  if (
    registered === null ||
    requested === null ||
    registered.protocol !== "http:" ||
    !isLoopback(registered)
  )
    return false;
  if (requestedUri.includes("#")) return false;
  registered.port = requested.port;
  return registered.href === requested.href;
}

export async function findClient(
  services: IdentityServices,
  id: string,
  now: Date,
): Promise<ClientRecord | OAuthError> {
  const unknownClient: OAuthError = { oauth: "invalid_client", text: "Unknown client." };
  if (!isStorable(id)) return unknownClient;
  const storedClient = await services.store.grants.client(id);
  if (!isDocumentId(id)) return storedClient ?? unknownClient;
  return services.settings().clientDocuments
    ? clientFromDocument(services, id, storedClient, now)
    : unknownClient;
}

export async function authenticateClient(
  services: IdentityServices,
  context: IdentityContext,
): Promise<ClientRecord | OAuthError> {
  const basic = readBasic(context.request.headers.get("authorization"));
  const id = basic?.id ?? bodyText(context.body, "client_id") ?? "";
  const authenticationFailed: OAuthError = {
    oauth: "invalid_client",
    text: "Client authentication failed.",
    status: 401,
  };
  const client = isStorable(id) ? await services.store.grants.client(id) : null;
  if (client === null) return authenticationFailed;
  const presentedSecret = basic === null ? bodyText(context.body, "client_secret") : basic.secret;
  const method: ClientAuthMethod =
    basic !== null
      ? "client_secret_basic"
      : presentedSecret === null
        ? "none"
        : "client_secret_post";
  if (method !== client.authMethod) return authenticationFailed;
  if (client.secretHash === null) return method === "none" ? client : authenticationFailed;
  return matchesTokenHash(client.secretHash, presentedSecret ?? "") ? client : authenticationFailed;
}

const BASIC = /^Basic +([\w+/]{1,4096}={0,2}) *$/i;

/** Both parts are form-encoded (RFC 6749, section 2.3.1). */
function readBasic(header: string | null): { id: string; secret: string } | null {
  const [, encoded] = BASIC.exec(header ?? "") ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const at = text.indexOf(":");
  if (at < 0) return null;
  const [id, secret] = [text.slice(0, at), text.slice(at + 1)].map(decodeFormValue);
  return { id: id ?? "", secret: secret ?? "" };
}

function decodeFormValue(text: string): string {
  return new URLSearchParams(`x=${text.replaceAll("&", "%26")}`).get("x") ?? "";
}
