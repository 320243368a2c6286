import type { Migration } from "#data/queries/database-backend.ts";

/**
 * Adds the redirect URIs that a consent covers. Existing consents cover no redirect URIs, because
 * it is unknown which redirect URI their page showed. The server asks those users once more.
 */
export const CONSENT_REDIRECTS: Migration = {
  number: 38,
  name: "consent redirects",
  statements: ({ text }) => [
    `alter table identity_consents add column redirects ${text} not null default '[]'`,
  ],
};
