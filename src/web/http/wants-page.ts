// Answers that are a page for people and JSON for programs.

import type { FastifyReply, FastifyRequest } from "fastify";

import type { ErrorBody } from "#core/resources/common.ts";

import { prefersHtml } from "./accept.ts";
import { addressOf } from "./request-address.ts";

/** Whether a request looks for a page, and not for an answer of the API. */
export const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  ["GET", "HEAD"].includes(method) && !isOfApi(url) && prefersHtml(headers.accept);

/** Whether an address belongs to the API, whose answers are JSON to everybody. */
export const isOfApi = (url: string): boolean => /^\/api(?:\/|$)/.test(addressOf(url).path);

/** Sends a page once it is made, or `refusal` if it cannot be made. */
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
