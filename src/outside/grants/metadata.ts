// What programs read before they ask for anything.

import { ok } from "#outside/identity/answer.ts";
import type { IdentityAnswer } from "#outside/identity/answer.ts";
import type { IdentityParts } from "#outside/identity/ask.ts";
import { rootOf } from "#outside/identity/deps.ts";
import { KEYS_MAX_AGE_S, SIGNING_ALGORITHM } from "#outside/identity/secrets.ts";

export const SCOPES = ["openid", "profile", "email", "offline_access"] as const;
export const USUAL_SCOPE = "openid email";

const kept = { "Cache-Control": `public, max-age=${KEYS_MAX_AGE_S}` };

/** The public keys of tokens. */
export function readKeys({ secrets }: IdentityParts): IdentityAnswer {
  return { status: 200, body: { keys: secrets.published() }, headers: kept };
}

/** RFC 8414, and the same for OpenID Connect. */
export function readMetadata({ settings }: IdentityParts): IdentityAnswer {
  const root = rootOf(settings());
  return {
    ...ok({
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
    headers: kept,
  } as IdentityAnswer;
}
