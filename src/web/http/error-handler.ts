import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";

import { isMissingReference } from "#data/store/errors.ts";

import { refuseError } from "./errors.ts";
import { isApiUrl, sendPage, wantsPage } from "./wants-page.ts";

export type ErrorPage = "address" | "busy" | "fault";

const ERROR_PAGES: { readonly [status: number]: ErrorPage } = {
  400: "address",
  403: "address",
  429: "busy",
  500: "fault",
  503: "fault",
};

/**
 * Returns an error handler. `renderPage` renders the HTML page. If rendering fails, the response is
 * JSON.
 */
export function errorHandler(renderPage: (page: ErrorPage) => Promise<Buffer>) {
  const sendError = (
    error: FastifyError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply => {
    // Left over from the response that failed.
    for (const name of ["content-encoding", "etag"]) reply.removeHeader(name);
    const refusal = refuseError(error, request, reply);
    const errorPage = ERROR_PAGES[reply.statusCode];
    if (errorPage === undefined || isApiUrl(request.url)) return reply.send(refusal);
    reply.header("Vary", "Accept");
    if (!wantsPage(request)) return reply.send(refusal);
    return sendPage(reply, renderPage(errorPage), refusal);
  };
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
    isMissingReference(error) && request.recheckAuth !== null
      ? recheckDeletedCaller(request, reply, () => sendError(error, request, reply))
      : sendError(error, request, reply);
}

/**
 * Handles a missing reference. If the caller's account or bot was deleted during the request, the
 * response is the same as for a later request. Otherwise `fallback` responds.
 */
async function recheckDeletedCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  fallback: () => FastifyReply,
): Promise<FastifyReply> {
  await request.recheckAuth?.({ force: true });
  return reply.sent ? reply : fallback();
}
