// The file that names the places where people may sign in to embedded accounts. It holds secrets,
// so nobody but its owner may read it, and no message repeats what is in it.

import { Type } from "typebox";
import type { Static } from "typebox";
import { Value } from "typebox/value";

import type { SocialProvider } from "#outside/identity/deps.ts";

import { readPrivateJson, wrong as wrongFile } from "./private-file.ts";

/** It is part of addresses: `/auth/v1/authorize?provider=ID`. */
const ID = Type.String({ pattern: "^[a-z][a-z0-9-]{0,31}$" });
const common = {
  id: ID,
  name: Type.String({ minLength: 1, maxLength: 60 }),
  client_id: Type.String({ minLength: 1 }),
  client_secret: Type.String({ minLength: 1 }),
};
const closed = { additionalProperties: false };

const OidcSchema = Type.Object(
  { ...common, kind: Type.Literal("oidc"), issuer: Type.String({ pattern: "^https?://" }) },
  closed,
);
const GithubSchema = Type.Object({ ...common, kind: Type.Literal("github") }, closed);

type Entry = Static<typeof OidcSchema> | Static<typeof GithubSchema>;

/** The name of signing in by address and password. */
const TAKEN = "email";

const SHAPE =
  'a JSON list of {"id", "name", "kind": "oidc" or "github", "issuer" of an oidc one, "client_id", "client_secret"}';

/** Rejects with a UsageError if the file is not right. */
export async function readSignInFile(path: string): Promise<readonly SocialProvider[]> {
  const entries = entriesOf(path, await readPrivateJson(FLAG, path));
  const ids = entries.map(({ id }) => id);
  if (ids.includes(TAKEN)) throw wrong(path, `the id "${TAKEN}" is taken`);
  if (new Set(ids).size < ids.length) throw wrong(path, "each entry needs an id of its own");
  return entries.map(toProvider);
}

function entriesOf(path: string, value: unknown): Entry[] {
  if (!Array.isArray(value)) throw wrong(path, `it is no ${SHAPE.slice(2)}`);
  const bad = value.findIndex((one) => !isEntry(one));
  if (bad >= 0) throw wrong(path, `entry ${bad + 1} does not fit: it is ${SHAPE}`);
  return value as Entry[];
}

const isEntry = (value: unknown): value is Entry =>
  Value.Check(OidcSchema, value) ? URL.canParse(value.issuer) : Value.Check(GithubSchema, value);

function toProvider(entry: Entry): SocialProvider {
  const { id, name, client_id: clientId, client_secret: clientSecret } = entry;
  const shared = { id, name, clientId, clientSecret };
  return entry.kind === "oidc"
    ? { ...shared, kind: "oidc", issuer: entry.issuer }
    : { ...shared, kind: "github" };
}

const FLAG = "sign-in";
const wrong = (path: string, problem: string) => wrongFile(FLAG, path, problem);
