// An operation of the HTTP API, as declared by its route.

import type { TSchema } from "typebox";

import type { StatusWithoutCode, HttpRefusal } from "#core/protocol/errors.ts";

import type { Credential } from "./credentials.ts";

export type Operation = {
  /** Unique; also the key in `endpoints` of `GET /api`. */
  id: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** `{name}` marks a path parameter. */
  path: string;
  /** One-line summary. */
  summary: string;
  /** Accepted credentials; any of them is enough. With `none`, the operation also works without. */
  credentials: readonly (Credential | "none")[];
  /** Required in addition to any of the credentials. */
  alsoRequires: Credential | null;
  errorCodes: readonly (HttpRefusal | StatusWithoutCode)[];
  /** Media types of a file body; empty for JSON or no body. */
  bodyTypes: readonly string[];
  types: readonly string[];
  schema: {
    params?: TSchema;
    querystring?: TSchema;
    headers?: TSchema;
    body?: TSchema;
    /** By status; classes such as `4xx` are not used. */
    response: Readonly<Record<string, TSchema>>;
  };
};
