// One operation of the HTTP API, as its route declares it.

import type { TSchema } from "typebox";

import type { BareStatus, HttpRefusal } from "#core/protocol/errors.ts";

import type { Credential } from "./credentials.ts";

export type Operation = {
  /** Unique; also the key among the endpoints of `GET /api`. */
  id: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** `{name}` stands for a path parameter. */
  path: string;
  /** What it does, in one line. */
  about: string;
  /** One of these is needed; with `none` among them, the operation also works without. */
  credentials: readonly (Credential | "none")[];
  /** Needed in addition to any of those. */
  needsToo: Credential | null;
  /** Codes and bare statuses of the operation's own refusals. */
  refuses: readonly (HttpRefusal | BareStatus)[];
  /** Media types of a body that is a file; none for JSON and for no body. */
  takes: readonly string[];
  /** Media types of a successful answer. */
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
