import { Type } from "typebox";
import type { Static } from "typebox";
import { Value } from "typebox/value";

import type { SocialProvider } from "#adapters/identity/identity-deps.ts";

import { readPrivateJson, invalidFile as wrongFile } from "./private-file.ts";

/** Used in URLs: `/auth/v1/authorize?provider=ID`. */
const ID = Type.String({ pattern: "^[a-z][a-z0-9-]{0,31}$" });
const commonFields = {
  id: ID,
  name: Type.String({ minLength: 1, maxLength: 60 }),
  client_id: Type.String({ minLength: 1 }),
  client_secret: Type.String({ minLength: 1 }),
};
const closedOptions = { additionalProperties: false };

const OidcSchema = Type.Object(
  { ...commonFields, kind: Type.Literal("oidc"), issuer: Type.String({ pattern: "^https?://" }) },
  closedOptions,
);
const GithubSchema = Type.Object({ ...commonFields, kind: Type.Literal("github") }, closedOptions);

type SignInEntry = Static<typeof OidcSchema> | Static<typeof GithubSchema>;

/** The id for signing in with email and password. */
const RESERVED_ID = "email";

const SHAPE =
  'a JSON list of {"id", "name", "kind": "oidc" or "github", "issuer" (oidc only), "client_id", "client_secret"}';

/**
 * Reads the sign-in providers of embedded accounts. Because the file contains secrets, only its
 * owner may have access, and messages never contain its content. Rejects with a UsageError if the
 * file is invalid.
 */
export async function readSignInFile(path: string): Promise<readonly SocialProvider[]> {
  const entries = entriesOf(path, await readPrivateJson(FLAG, path));
  const ids = entries.map(({ id }) => id);
  if (ids.includes(RESERVED_ID))
    throw invalidSignInFile(path, `the id "${RESERVED_ID}" is reserved`);
  if (new Set(ids).size < ids.length)
    throw invalidSignInFile(path, "each entry must have a unique id");
  return entries.map(toProvider);
}

function entriesOf(path: string, value: unknown): SignInEntry[] {
  if (!Array.isArray(value)) throw invalidSignInFile(path, `it is not a ${SHAPE.slice(2)}`);
  const invalidIndex = value.findIndex((entry) => !isEntry(entry));
  if (invalidIndex >= 0)
    throw invalidSignInFile(
      path,
      `entry ${invalidIndex + 1} is invalid: the file must be ${SHAPE}`,
    );
  return value as SignInEntry[];
}

const isEntry = (value: unknown): value is SignInEntry =>
  Value.Check(OidcSchema, value) ? URL.canParse(value.issuer) : Value.Check(GithubSchema, value);

function toProvider(entry: SignInEntry): SocialProvider {
  const { id, name, client_id: clientId, client_secret: clientSecret } = entry;
  const sharedFields = { id, name, clientId, clientSecret };
  return entry.kind === "oidc"
    ? { ...sharedFields, kind: "oidc", issuer: entry.issuer }
    : { ...sharedFields, kind: "github" };
}

const FLAG = "sign-in";
const invalidSignInFile = (path: string, problem: string) => wrongFile(FLAG, path, problem);
