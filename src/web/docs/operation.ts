// One thing the HTTP side can be asked to do, as its route declares it.

import type { TSchema } from "typebox";

import type { BareStatus, HttpRefusal } from "#core/protocol/errors.ts";

import type { Credential } from "./credentials.ts";

export type Operation = {
  /** Unique; also the key among the endpoints of `GET /api`. */
  id: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** `{name}` stands for a part to fill in. */
  path: string;
  /** What it does, in one line. */
  about: string;
  /** One of these is needed; `none` among them means that it can also go without. */
  credentials: readonly (Credential | "none")[];
  /** Needed beside each of those. */
  needsToo: Credential | null;
  /** Codes and bare statuses of its own refusals. */
  refuses: readonly (HttpRefusal | BareStatus)[];
  /** Of a good answer. */
  types: readonly string[];
  schema: {
    params?: TSchema;
    querystring?: TSchema;
    body?: TSchema;
    /** By status; classes such as `4xx` are not read. */
    response: Readonly<Record<string, TSchema>>;
  };
};
