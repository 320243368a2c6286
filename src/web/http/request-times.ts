// How long requests take, by route: only on a server with profiling.

import type { FastifyReply, FastifyRequest } from "fastify";

const MS = 1000;

/** A hook that notes each request, in µs, from its arrival until its answer is handed over. */
export const timeRequests =
  (note: (name: string, duration: number) => void) =>
  ({ method, is404, routeOptions }: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const name = is404 ? "http without a route" : `${method} ${routeOptions.url}`;
    note(name, Math.round(reply.elapsedTime * MS));
    done();
  };
