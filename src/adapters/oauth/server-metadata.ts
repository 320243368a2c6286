import type { IdentityServices } from "#adapters/identity/identity-context.ts";
import { rootOf } from "#adapters/identity/identity-deps.ts";
import { okResponse } from "#adapters/identity/identity-response.ts";
import type { IdentityResponse } from "#adapters/identity/identity-response.ts";
import { KEYS_MAX_AGE_S, SIGNING_ALGORITHM } from "#adapters/identity/secrets.ts";

export const SCOPES = ["openid", "profile", "email", "offline_access"] as const;
export const DEFAULT_SCOPE = "openid email";

const cacheHeaders = { "Cache-Control": `public, max-age=${KEYS_MAX_AGE_S}` };

export function readKeys({ secrets }: IdentityServices): IdentityResponse {
  return { status: 200, body: { keys: secrets.publishedKeys() }, headers: cacheHeaders };
}

/**
 * Returns authorization server metadata (RFC 8414), which is also served for OpenID Connect
 * Discovery.
 */
export function readMetadata({ settings }: IdentityServices): IdentityResponse {
  const root = rootOf(settings());
  return {
    ...okResponse({
      issuer: root,
      authorization_endpoint: `${root}/oauth/authorize`,
      token_endpoint: `${root}/oauth/token`,
      userinfo_endpoint: `${root}/oauth/userinfo`,
      registration_endpoint: `${root}/oauth/clients/register`,
      jwks_uri: `${root}/.well-known/jwks.json`,
      scopes_supported: SCOPES,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
      token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: settings().clientDocuments,
      claims_supported: ["sub", "iss", "aud", "exp", "iat", "auth_time", "email", "email_verified"],
    }),
    headers: cacheHeaders,
  } as IdentityResponse;
}
