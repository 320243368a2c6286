// A second port that serves only metrics, to local clients without a credential.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { isLoopbackHost } from "#base/util/loopback.ts";
import { METRICS_MEDIA_TYPE } from "#core/api/metrics-page.ts";
import type { FixedLimits } from "#core/limits/limits.ts";
import type { Log } from "#live/arena/arena-deps.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { metricsOf } from "#web/admin/health.ts";
import { serverOptions } from "#web/http/server-options.ts";

import { listen } from "./listen.ts";

const HOST = "127.0.0.1";
const PATH = "/metrics";
const METHODS = ["GET", "HEAD"];
/** More than a metrics collector needs. */
const MAX_CONNECTIONS = 16;

type MetricsPort = { url: string; [Symbol.asyncDispose](): Promise<void> };

type MetricsPortDeps = Parameters<typeof metricsOf>[0] & {
  limits: FixedLimits;
  log: Pick<Log, "info">;
};

/**
 * Opens the metrics port if configured. Returns its address, or null. Rejects if the port can't be
 * opened.
 */
export async function openMetrics(
  { "metrics-port": port }: Pick<ServeOptions, "metrics-port">,
  parts: AsyncDisposableStack,
  { limits, log, ...deps }: MetricsPortDeps,
): Promise<string | null> {
  if (port === null) return null;
  const { url } = parts.use(await openMetricsPort(port, limits, () => metricsOf(deps)));
  log.info({ address: url }, "metrics port listening");
  return url;
}

async function openMetricsPort(
  port: number,
  limits: FixedLimits,
  renderMetrics: () => Promise<string>,
): Promise<MetricsPort> {
  const server = createServer(
    serverOptions(limits),
    (request, response) => void handleRequest(request, response, renderMetrics),
  );
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, { host: HOST, port }, "--metrics-port");
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${boundPort}${PATH}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handleRequest(
  { method = "", url = "", headers }: IncomingMessage,
  response: ServerResponse,
  renderMetrics: () => Promise<string>,
): Promise<void> {
  const refuse = (status: number, extraHeaders: Record<string, string> = {}) =>
    void response.writeHead(status, { ...HEADERS, ...extraHeaders }).end();
  // Prevents DNS rebinding, where a page on another site reaches this machine under that site's
  // host name.
  if (!isLoopbackHost(hostOf(headers.host))) return refuse(403);
  if (url.split("?", 1)[0] !== PATH) return refuse(404);
  if (!METHODS.includes(method)) return refuse(405, { Allow: METHODS.join(", ") });
  const text = await renderMetrics();
  response.writeHead(200, { ...HEADERS, "Content-Type": METRICS_MEDIA_TYPE });
  response.end(method === "HEAD" ? undefined : text);
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const hostOf = (host = ""): string => host.replace(/:\d+$/, "");
