import type { TSchema } from "typebox";

import type { StatusWithoutCode, HttpRefusal } from "#core/protocol/errors.ts";

import type { Credential } from "./credentials.ts";

export type Operation = {
  /** Unique. Also the key in `endpoints` of `GET /api`. */
  id: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path parameters are written as `{name}`. */
  path: string;
  summary: string;
  /** Accepted credentials. Any one is enough; `none` makes them optional. */
  credentials: readonly (Credential | "none")[];
  /** Required in addition to one of `credentials`. */
  alsoRequires: Credential | null;
  errorCodes: readonly (HttpRefusal | StatusWithoutCode)[];
  /** Media types of a file body. Empty for JSON or no body. */
  bodyTypes: readonly string[];
  types: readonly string[];
  schema: {
    params?: TSchema;
    querystring?: TSchema;
    headers?: TSchema;
    body?: TSchema;
    /** Keyed by status code. Ranges such as `4xx` are not used. */
    response: Readonly<Record<string, TSchema>>;
  };
};
