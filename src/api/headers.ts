// Headers that every answer has.

import type { FastifyHelmetOptions } from "@fastify/helmet";
import type { FastifyReply, FastifyRequest } from "fastify";

const OWN = ["'self'"];
const NONE = ["'none'"];

/** Scripts and styles come from files of our own; nothing may frame a page. */
export const SECURITY_HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: OWN,
      imgSrc: ["'self'", "data:"],
      objectSrc: NONE,
      baseUri: NONE,
      formAction: OWN,
      frameAncestors: NONE,
    },
  },
  frameguard: { action: "deny" },
  // This process speaks plain HTTP: whoever puts TLS before it promises to keep it.
  hsts: false,
  // A same-site rule would keep other sites from what is public.
  crossOriginResourcePolicy: { policy: "cross-origin" },
};

/** Public answers are checked again at each use, by their ETag; others are never kept. */
export async function setAccessHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const isPublic = request.routeOptions.config.public === true;
  reply.header("Cache-Control", isPublic ? "no-cache" : "private, no-store");
  if (isPublic) reply.header("Access-Control-Allow-Origin", "*");
}

/** Only a successful read can be `not modified`; the ETag plugin does not ask. */
export async function keepFullAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || reply.statusCode !== 200) delete request.headers["if-none-match"];
}
