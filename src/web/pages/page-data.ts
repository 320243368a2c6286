// What pages show of the ladder: the public API's own answers, requested inside the process.

import type { FastifyInstance } from "fastify";

import type { Documents } from "#web/docs/documents.ts";
import type { ApiDeps, ApiSettings } from "#web/http/deps.ts";

/** Everything that a page can be made of. */
export type PageSources = {
  api: PublicApi;
  documents: Pick<Documents, "docs" | "revision" | "guides" | "changelog" | "commands">;
  /** Null on a ladder without accounts. */
  accounts: Pick<NonNullable<ApiDeps["accounts"]>, "provider" | "mail"> | null;
  settings: Pick<
    ApiSettings,
    "baseUrl" | "sourceUrl" | "anonymous" | "registrationKeyHash" | "mail" | "contact"
  >;
  /** Milliseconds since 1970. */
  now: () => number;
} & Pick<ApiDeps, "callerOf" | "scaleOf">;

export type PublicApi = {
  /** For what always exists. */
  get<T>(path: string): Promise<T>;
  /** Null for a 404. */
  find<T>(path: string): Promise<T | null>;
};

/** Not an address, so no limits count these requests. */
const INSIDE = "inside";

/** Requests a public address inside the process. */
export async function requestInside(
  app: Pick<FastifyInstance, "inject">,
  url: string,
): Promise<{ status: number; body: string }> {
  const { statusCode: status, body } = await app.inject({ url, remoteAddress: INSIDE });
  return { status, body };
}

export function askInside(app: Pick<FastifyInstance, "inject">): PublicApi {
  async function get<T>(path: string): Promise<T> {
    const found = await find<T>(path);
    if (found === null) throw new Error(`the page's own data is missing: ${path}`);
    return found;
  }

  async function find<T>(path: string): Promise<T | null> {
    const { status, body } = await requestInside(app, path);
    if (status === 404) return null;
    if (status !== 200) throw new Error(`${path} answered ${status} to a page`);
    return JSON.parse(body) as T;
  }

  return { get, find };
}
