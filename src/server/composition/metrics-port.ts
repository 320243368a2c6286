// A second port with nothing but metrics, without a credential and for this machine alone.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { isLoopback } from "#base/units/loopback.ts";
import { METRICS_TYPE } from "#core/operator/metrics.ts";
import type { FixedLimits } from "#core/words/limits.ts";
import type { Log } from "#live/arena/deps.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { metricsOf } from "#web/admin/health.ts";
import { serverOptions } from "#web/http/server-options.ts";

import { listening } from "./listening.ts";

const HOST = "127.0.0.1";
const PATH = "/metrics";
const METHODS = ["GET", "HEAD"];
/** Programs that collect metrics need one. */
const CONNECTIONS_MOST = 16;

type MetricsPort = { url: string; [Symbol.asyncDispose](): Promise<void> };

type MetricsDeps = Parameters<typeof metricsOf>[0] & {
  limits: FixedLimits;
  log: Pick<Log, "info">;
};

/** The address of the port with metrics, if one is wanted. Rejects if it cannot be listened on. */
export async function openMetrics(
  { "metrics-port": port }: Pick<ServeOptions, "metrics-port">,
  parts: AsyncDisposableStack,
  { limits, log, ...deps }: MetricsDeps,
): Promise<string | null> {
  if (port === null) return null;
  const { url } = parts.use(await openMetricsPort(port, limits, () => metricsOf(deps)));
  log.info({ address: url }, "metrics are served");
  return url;
}

async function openMetricsPort(
  port: number,
  limits: FixedLimits,
  metrics: () => Promise<string>,
): Promise<MetricsPort> {
  const server = createServer(
    serverOptions(limits),
    (request, response) => void answer(request, response, metrics),
  );
  server.maxConnections = CONNECTIONS_MOST;
  await listening(server, { host: HOST, port }, "--metrics-port");
  const { port: number } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${number}${PATH}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { method = "", url = "", headers }: IncomingMessage,
  response: ServerResponse,
  metrics: () => Promise<string>,
): Promise<void> {
  const refuse = (status: number, more: Record<string, string> = {}) =>
    void response.writeHead(status, { ...HEADERS, ...more }).end();
  // A page of a foreign site reaches this machine by a name of its own.
  if (!isLoopback(hostOf(headers.host))) return refuse(403);
  if (url.split("?", 1)[0] !== PATH) return refuse(404);
  if (!METHODS.includes(method)) return refuse(405, { Allow: METHODS.join(", ") });
  const text = await metrics();
  response.writeHead(200, { ...HEADERS, "Content-Type": METRICS_TYPE });
  response.end(method === "HEAD" ? undefined : text);
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const hostOf = (host = ""): string => host.replace(/:\d+$/, "");
