import type { FastifyReply, FastifyRequest } from "fastify";

import type { ErrorBody } from "#core/api/common-schemas.ts";

import { prefersHtml } from "./content-negotiation.ts";
import { parseAddress } from "./request-address.ts";

export const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  ["GET", "HEAD"].includes(method) && !isApiUrl(url) && prefersHtml(headers.accept);

/** Returns whether a URL belongs to the API, which always responds with JSON. */
export const isApiUrl = (url: string): boolean => /^\/api(?:\/|$)/.test(parseAddress(url).path);

/** Sends a page once it is rendered, or `refusal` as JSON if rendering fails. */
export function sendPage(
  reply: FastifyReply,
  page: Promise<Buffer>,
  refusal: ErrorBody,
): FastifyReply {
  reply.header("Vary", "Accept");
  page.then(
    (html) => reply.type("text/html; charset=utf-8").send(html),
    () => reply.send(refusal),
  );
  return reply;
}
