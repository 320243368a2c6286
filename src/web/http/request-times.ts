import type { FastifyReply, FastifyRequest } from "fastify";

const MS = 1000;

/**
 * Returns a hook that records each request's duration in µs, until the response is handed to Node.
 */
export const timeRequests =
  (recordDuration: (name: string, duration: number) => void) =>
  ({ method, is404, routeOptions }: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const name = is404 ? "http without a route" : `${method} ${routeOptions.url}`;
    recordDuration(name, Math.round(reply.elapsedTime * MS));
    done();
  };
