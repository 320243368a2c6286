import { bodyText } from "#adapters/identity/identity-context.ts";
import type { IdentitySettings } from "#adapters/identity/identity-deps.ts";
import type { OAuthError } from "#adapters/identity/identity-errors.ts";
import { isLoopback } from "#adapters/identity/redirect-target.ts";
import { isAppScheme } from "#core/accounts/redirect-scheme.ts";
import { CLIENT_AUTH_METHODS } from "#data/store/identity-grants.ts";
import type { ClientAuthMethod, ClientRecord } from "#data/store/identity-grants.ts";

const MAX_REDIRECTS = 10;
const ADDRESS_CHARS = 2048;
/** Limits the length of displayed URLs, so that the list of an account's apps stays small. */
const DISPLAYED_URL_CHARS = 512;
const NAME_CHARS = 200;
const DEFAULT_NAME = "Unnamed app";

type ClientMetadata = Pick<
  ClientRecord,
  "name" | "uri" | "logoUri" | "redirectUris" | "authMethod"
>;

export function parseClientMetadata(
  body: Readonly<Record<string, unknown>>,
  defaultMethod: ClientAuthMethod,
  settings: IdentitySettings,
): ClientMetadata | OAuthError {
  const redirectUris = body["redirect_uris"];
  const isList = Array.isArray(redirectUris) && redirectUris.every(isRedirectUri);
  if (!isList || redirectUris.length === 0 || redirectUris.length > MAX_REDIRECTS)
    return {
      oauth: "invalid_redirect_uri",
      text: `redirect_uris must be 1 to ${MAX_REDIRECTS} URLs without a fragment: https, http on a loopback host, or a private scheme such as com.example.app:/callback (RFC 8252).`,
    };
  const own = redirectUris.find((uri) => isOwnUrl(settings, uri) && !hasOpenPort(uri));
  if (own !== undefined)
    return {
      oauth: "invalid_redirect_uri",
      text: `redirect_uris can't contain a URL of this server: ${own}`,
    };
  const requestedMethod = body["token_endpoint_auth_method"] ?? defaultMethod;
  const authMethod = CLIENT_AUTH_METHODS.find((method) => method === requestedMethod);
  if (authMethod === undefined)
    return {
      oauth: "invalid_client_metadata",
      text: "This token_endpoint_auth_method isn't supported.",
    };
  const name = stripControlCharacters(bodyText(body, "client_name") ?? "");
  return {
    name: name === "" ? DEFAULT_NAME : name,
    uri: httpsUrlOf(bodyText(body, "client_uri")),
    logoUri: httpsUrlOf(bodyText(body, "logo_uri")),
    redirectUris,
    authMethod,
  };
}

/** Removes control characters, including those that change the text direction. */
function stripControlCharacters(text: string): string {
  const cleaned = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim();
  return cleaned.slice(0, NAME_CHARS).toWellFormed();
}

function httpsUrlOf(text: string | null): string | null {
  const url = text === null || text.length > DISPLAYED_URL_CHARS ? null : URL.parse(text);
  return url?.protocol === "https:" ? url.href : null;
}

/**
 * Returns whether a URL belongs to this server under any of its names. The consent page shows the
 * host that receives the code, so an app must not be able to use our host.
 */
export function isOwnUrl(
  { baseUrl, redirectOrigins, isLocal }: IdentitySettings,
  text: string,
): boolean {
  const url = new URL(text);
  const { origin, port } = new URL(baseUrl);
  const isHere = isLocal && isLoopback(url) && url.port === port;
  // DNS ignores a trailing dot, but the URL's origin includes it.
  const cleaned = url.origin.replace(/\.(?=:\d+$|$)/, "");
  return isHere || [origin, ...redirectOrigins].includes(cleaned);
}

/**
 * Returns whether the client chooses the port at authorization time. The URL is then checked at
 * that time.
 */
function hasOpenPort(redirectUri: string): boolean {
  const url = new URL(redirectUri);
  return url.protocol === "http:" && url.port === "";
}

/** Redirect URIs can't have fragments. URL parsers would drop or encode the other characters. */
const FORBIDDEN_IN_URLS = /[#\s\p{Cc}\p{Cs}]/u;

function isRedirectUri(text: unknown): text is string {
  if (typeof text !== "string" || text.length > ADDRESS_CHARS || FORBIDDEN_IN_URLS.test(text))
    return false;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" ? isLoopback(url) : isAppScheme(url.protocol);
}
