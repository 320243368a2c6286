// Page data comes from the public API, requested inside the process.

import type { FastifyInstance } from "fastify";

import type { Documents } from "#web/docs/documents.ts";
import type { ApiDeps, ApiSettings } from "#web/http/deps.ts";

export type PageSources = {
  api: PublicApi;
  documents: Pick<Documents, "docs" | "revision" | "guides" | "changelog" | "commands">;
  accounts: Pick<NonNullable<ApiDeps["accounts"]>, "provider" | "mail"> | null;
  settings: Pick<
    ApiSettings,
    "baseUrl" | "sourceUrl" | "anonymous" | "registrationKeyHash" | "mail" | "contact"
  >;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
} & Pick<ApiDeps, "callerOf" | "scaleOf">;

export type PublicApi = {
  /** Throws for a 404. */
  get<T>(path: string): Promise<T>;
  /** Returns null for a 404. */
  find<T>(path: string): Promise<T | null>;
};

/** Not a real address, so that these requests don't count towards rate limits. */
const INTERNAL_ADDRESS = "inside";

export async function requestInternally(
  app: Pick<FastifyInstance, "inject">,
  url: string,
): Promise<{ status: number; body: string }> {
  const { statusCode: status, body } = await app.inject({ url, remoteAddress: INTERNAL_ADDRESS });
  return { status, body };
}

export function openPublicApi(app: Pick<FastifyInstance, "inject">): PublicApi {
  async function get<T>(path: string): Promise<T> {
    const result = await find<T>(path);
    if (result === null) throw new Error(`page data missing: ${path}`);
    return result;
  }

  async function find<T>(path: string): Promise<T | null> {
    const { status, body } = await requestInternally(app, path);
    if (status === 404) return null;
    if (status !== 200) throw new Error(`${path} returned ${status} to a page`);
    return JSON.parse(body) as T;
  }

  return { get, find };
}
