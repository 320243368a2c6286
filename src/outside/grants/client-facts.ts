// What programs say of themselves, when they register or in their own document.

import { isAppScheme } from "#core/accounts/redirect-scheme.ts";
import { CLIENT_AUTH_METHODS } from "#data/store/identity-grants.ts";
import type { ClientAuthMethod, ClientRecord } from "#data/store/identity-grants.ts";
import { isLoopback } from "#outside/identity/address.ts";
import { textOf } from "#outside/identity/ask.ts";
import type { IdentitySettings } from "#outside/identity/deps.ts";
import type { OAuthRefusal } from "#outside/identity/errors.ts";

const MOST_REDIRECTS = 10;
const ADDRESS_CHARS = 2048;
/** Of what is only shown to people: the list of an account's programs must stay short. */
const SHOWN_ADDRESS_CHARS = 512;
const NAME_CHARS = 200;
const NAMELESS = "A program without a name";

type ClientFacts = Pick<ClientRecord, "name" | "uri" | "logoUri" | "redirectUris" | "authMethod">;

/** What a client says of itself; `usual` is how it authenticates if it does not say. */
export function readClient(
  body: Readonly<Record<string, unknown>>,
  usual: ClientAuthMethod,
  settings: IdentitySettings,
): ClientFacts | OAuthRefusal {
  const redirectUris = body["redirect_uris"];
  const isList = Array.isArray(redirectUris) && redirectUris.every(isRedirect);
  if (!isList || redirectUris.length === 0 || redirectUris.length > MOST_REDIRECTS)
    return {
      oauth: "invalid_redirect_uri",
      text: `redirect_uris must be 1 to ${MOST_REDIRECTS} URLs without a fragment: https, http on a loopback host, or a private scheme such as com.example.app:/callback (RFC 8252).`,
    };
  const own = redirectUris.find((uri) => isOwnUrl(settings, uri) && !hasOpenPort(uri));
  if (own !== undefined)
    return {
      oauth: "invalid_redirect_uri",
      text: `redirect_uris can't contain a URL of this server: ${own}`,
    };
  const wanted = body["token_endpoint_auth_method"] ?? usual;
  const authMethod = CLIENT_AUTH_METHODS.find((method) => method === wanted);
  if (authMethod === undefined)
    return {
      oauth: "invalid_client_metadata",
      text: "This token_endpoint_auth_method is not supported.",
    };
  const name = printable(textOf(body, "client_name") ?? "");
  return {
    name: name === "" ? NAMELESS : name,
    uri: webAddress(textOf(body, "client_uri")),
    logoUri: webAddress(textOf(body, "logo_uri")),
    redirectUris,
    authMethod,
  };
}

/** Without control characters, and without those that turn the direction of the text around. */
function printable(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim();
  return plain.slice(0, NAME_CHARS).toWellFormed();
}

function webAddress(text: string | null): string | null {
  const url = text === null || text.length > SHOWN_ADDRESS_CHARS ? null : URL.parse(text);
  return url?.protocol === "https:" ? url.href : null;
}

/**
 * Whether a URL is of this server, under any of its names. The consent page names the host that
 * receives the code, so an app must not be able to show ours.
 */
export function isOwnUrl(
  { baseUrl, redirectOrigins, isLocal }: IdentitySettings,
  text: string,
): boolean {
  const url = new URL(text);
  const { origin, port } = new URL(baseUrl);
  const isHere = isLocal && isLoopback(url) && url.port === port;
  // DNS ignores a trailing dot, but origins differ by it.
  const plain = url.origin.replace(/\.(?=:\d+$|$)/, "");
  return isHere || [origin, ...redirectOrigins].includes(plain);
}

/** Whether the client chooses the port when it starts the authorization, which checks it then. */
function hasOpenPort(redirectUri: string): boolean {
  const url = new URL(redirectUri);
  return url.protocol === "http:" && url.port === "";
}

/** A fragment is forbidden here, and URL parsers drop or encode the rest. */
const NOT_IN_URLS = /[#\s\p{Cc}\p{Cs}]/u;

/** An address that a browser may be sent back to. */
function isRedirect(text: unknown): text is string {
  if (typeof text !== "string" || text.length > ADDRESS_CHARS || NOT_IN_URLS.test(text))
    return false;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" ? isLoopback(url) : isAppScheme(url.protocol);
}
