// Clients whose id is the address of a document about themselves (Client ID Metadata Documents).

import type { ClientRecord } from "#data/store/identity-grants.ts";
import type { IdentityParts } from "#outside/identity/ask.ts";
import type { IdentitySettings } from "#outside/identity/deps.ts";
import { isOAuthRefused } from "#outside/identity/errors.ts";
import type { OAuthRefusal } from "#outside/identity/errors.ts";
import { isGood, LIFETIME_MS } from "#outside/identity/limits.ts";

import { readClient } from "./client-facts.ts";

const ADDRESS_CHARS = 2048;

/** Whether an id is an address; all others are ids of ours. */
export const isDocumentId = (id: string): boolean => id.startsWith("https://");

/** The client of a document, read again when what is known of it is old. */
export async function documentedClient(
  parts: Pick<IdentityParts, "store" | "readDocument" | "settings">,
  id: string,
  known: ClientRecord | null,
  now: Date,
): Promise<ClientRecord | OAuthRefusal> {
  if (known !== null && isGood(known.createdAt, LIFETIME_MS.document, now)) return known;
  const url = addressOf(id);
  if (url === null) return wrong("The address of the client is not usable.");
  let text: string;
  try {
    text = await parts.readDocument(url);
  } catch {
    return wrong("The client's document could not be read.");
  }
  const facts = factsIn(text, id, parts.settings());
  if (isOAuthRefused(facts)) return facts;
  const kept = { id, kind: "document", secretHash: null, createdAt: now.toISOString() } as const;
  const client = { ...facts, ...kept };
  await parts.store.grants.putClient(client);
  return client;
}

const wrong = (text: string): OAuthRefusal => ({ oauth: "invalid_client", text });

/** Https with a path, written exactly as it is asked for. */
function addressOf(id: string): URL | null {
  const url = id.length > ADDRESS_CHARS ? null : URL.parse(id);
  const isPlain =
    url?.protocol === "https:" &&
    url.href === id &&
    url.pathname !== "/" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === "";
  return isPlain ? url : null;
}

/** What a document says, if it is the client's own; such clients have no secret. */
function factsIn(text: string, id: string, settings: IdentitySettings) {
  const document = parsed(text);
  if (document?.["client_id"] !== id) return wrong("The document is not that of this client.");
  const facts = readClient(document, "none", settings);
  if (isOAuthRefused(facts) || facts.authMethod === "none") return facts;
  return wrong("A client with a document has no secret.");
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
