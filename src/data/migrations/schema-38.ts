import type { Migration } from "#data/queries/backend.ts";

/**
 * The redirect URIs that a consent covers. Existing consents cover none, because the redirect URI
 * that their page showed is unknown: the server asks once more.
 */
export const CONSENT_REDIRECTS: Migration = {
  number: 38,
  name: "consent redirects",
  statements: ({ text }) => [
    `alter table identity_consents add column redirects ${text} not null default '[]'`,
  ],
};
