// How an error is answered: as JSON, and as a page to people who look for one.

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";

import { isMissingReference } from "#data/store/errors.ts";

import { refuseError } from "./errors.ts";
import { isOfApi, sendPage, wantsPage } from "./wants-page.ts";

/** What went wrong, as pages tell it. */
export type PageTrouble = "address" | "busy" | "fault";

const TROUBLES: { readonly [status: number]: PageTrouble } = {
  400: "address",
  403: "address",
  429: "busy",
  500: "fault",
  503: "fault",
};

/** `pageOf` makes the HTML; where it fails too, the answer is JSON. */
export function answerErrors(pageOf: (what: PageTrouble) => Promise<Buffer>) {
  const answer = (
    error: FastifyError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply => {
    // What an answer that failed half-way was going to be.
    for (const name of ["content-encoding", "etag"]) reply.removeHeader(name);
    const refusal = refuseError(error, request, reply);
    const trouble = TROUBLES[reply.statusCode];
    if (trouble === undefined || isOfApi(request.url)) return reply.send(refusal);
    reply.header("Vary", "Accept");
    if (!wantsPage(request)) return reply.send(refusal);
    return sendPage(reply, pageOf(trouble), refusal);
  };
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
    isMissingReference(error) && request.askAgain !== null
      ? authenticateAgain(request, reply, () => answer(error, request, reply))
      : answer(error, request, reply);
}

/**
 * Refuses a request whose account or bot was deleted while it was handled, like one that came
 * later. Anything else that was deleted is left to `otherwise`.
 */
async function authenticateAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  otherwise: () => FastifyReply,
): Promise<FastifyReply> {
  await request.askAgain?.({ always: true });
  return reply.sent ? reply : otherwise();
}
