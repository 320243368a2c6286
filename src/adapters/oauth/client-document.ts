// Clients whose ID is the URL of their metadata document (Client ID Metadata Documents).

import type { IdentityServices } from "#adapters/identity/identity-context.ts";
import type { IdentitySettings } from "#adapters/identity/identity-deps.ts";
import { isOAuthError } from "#adapters/identity/identity-errors.ts";
import type { OAuthError } from "#adapters/identity/identity-errors.ts";
import { isFresh, LIFETIME_MS } from "#adapters/identity/identity-limits.ts";
import type { ClientRecord } from "#data/store/identity-grants.ts";

import { parseClientMetadata } from "./client-metadata.ts";

const ADDRESS_CHARS = 2048;

/** Returns whether a client ID is a document URL. Registered clients have other IDs. */
export const isDocumentId = (id: string): boolean => id.startsWith("https://");

/**
 * Returns the client described by a document. Reads the document again once the stored client is
 * stale.
 */
export async function clientFromDocument(
  services: Pick<IdentityServices, "store" | "readDocument" | "settings">,
  id: string,
  stored: ClientRecord | null,
  now: Date,
): Promise<ClientRecord | OAuthError> {
  if (stored !== null && isFresh(stored.createdAt, LIFETIME_MS.document, now)) return stored;
  const url = documentUrlOf(id);
  if (url === null) return invalidClient("The client_id isn't a usable URL.");
  let text: string;
  try {
    text = await services.readDocument(url);
  } catch {
    return invalidClient("The client's metadata document could not be read.");
  }
  const metadata = parseClientDocument(text, id, services.settings());
  if (isOAuthError(metadata)) return metadata;
  const recordFields = {
    id,
    kind: "document",
    secretHash: null,
    createdAt: now.toISOString(),
  } as const;
  const client = { ...metadata, ...recordFields };
  await services.store.grants.putClient(client);
  return client;
}

const invalidClient = (text: string): OAuthError => ({ oauth: "invalid_client", text });

function documentUrlOf(id: string): URL | null {
  const url = id.length > ADDRESS_CHARS ? null : URL.parse(id);
  const isCanonical =
    url?.protocol === "https:" &&
    url.href === id &&
    url.pathname !== "/" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === "";
  return isCanonical ? url : null;
}

/** Parses a document. Returns an error if it describes another client or one with a secret. */
function parseClientDocument(text: string, id: string, settings: IdentitySettings) {
  const document = parseJsonObject(text);
  if (document?.["client_id"] !== id)
    return invalidClient("The client_id in the document doesn't match its URL.");
  const metadata = parseClientMetadata(document, "none", settings);
  if (isOAuthError(metadata) || metadata.authMethod === "none") return metadata;
  return invalidClient("A client with a metadata document can't have a secret.");
}

function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
