// Checks the port and the public address: whether this ladder responds at that address, including
// over sockets.

import { once } from "node:events";
import { createServer } from "node:net";

import { WebSocket } from "ws";

import type { LockStatus } from "#data/credentials/server-lock.ts";
import { RELEASE } from "#server/composition/release.ts";
import {
  baseUrlOf,
  botEndpointOf,
  isLocal,
  limitsAddresses,
} from "#server/composition/server-address.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";

import { CALL_TIMEOUT_MS, failDiagnosis, okDiagnosis, warnDiagnosis } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { dateFinding } from "./provider-check.ts";

type ApiIndex = { bot_endpoint?: unknown; versions?: { release?: unknown } };

/**
 * Returns the public address. If the running server chose its own port, returns the address that it
 * recorded.
 */
export function publicAddress(options: ServeOptions, holding: LockStatus): string {
  const reportedAddress = holding.isLocked ? (holding.holder?.address ?? null) : null;
  if (options["base-url"] === null && reportedAddress !== null) return reportedAddress;
  return baseUrlOf(options, options.port);
}

export async function checkAddress(
  options: ServeOptions,
  holding: LockStatus,
): Promise<Diagnosis[]> {
  const baseUrl = publicAddress(options, holding);
  const proxies = proxyFinding(options);
  if (!holding.isLocked) return [await checkPort(options), ...proxies];
  const local = options.port === 0 ? baseUrl : localUrl(options);
  const portFindings = await checkIndex("port", local, baseUrl);
  const isBehindProxy = options["base-url"] !== null && options["base-url"] !== local;
  const publicFindings = isBehindProxy ? await checkIndex("base URL", baseUrl, baseUrl) : [];
  return [
    ...portFindings,
    ...publicFindings,
    await checkBotSocket(botEndpointOf(baseUrl)),
    ...proxies,
  ];
}

const LOOPBACK_BY_WILDCARD: Readonly<Record<string, string>> = {
  "0.0.0.0": "127.0.0.1",
  "::": "::1",
};

function localUrl({ host, port }: ServeOptions): string {
  const name = LOOPBACK_BY_WILDCARD[host] ?? host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

async function checkPort({ host, port }: ServeOptions): Promise<Diagnosis> {
  const trialServer = createServer();
  try {
    trialServer.listen({ host, port });
    await once(trialServer, "listening");
    return okDiagnosis("port", `${port === 0 ? "any port" : port} of ${host} is free`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const advice = "Choose another --port or --host, or stop the program that uses it.";
    return failDiagnosis("port", `can't listen on ${host}:${port} (${code})`, advice);
  } finally {
    trialServer.close();
  }
}

/** Requests the index at `url`, which must belong to the ladder at `baseUrl`. */
async function checkIndex(check: string, url: string, baseUrl: string): Promise<Diagnosis[]> {
  const expectedEndpoint = botEndpointOf(baseUrl);
  try {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const response = await fetch(`${url}/api`, { signal, redirect: "manual" });
    const skew = check === "base URL" ? dateFinding("clock of the base URL", response) : [];
    if (!response.ok)
      return [
        failDiagnosis(check, `${url}/api responded with status ${response.status}`, PROXY_ADVICE),
        ...skew,
      ];
    const index = (await response.json()) as ApiIndex;
    return [indexFinding(check, url, index, expectedEndpoint), ...skew];
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    return [failDiagnosis(check, `${url}/api: ${cause?.code ?? message}`, PROXY_ADVICE)];
  }
}

const PROXY_ADVICE = "Check --base-url, DNS, the certificate and the proxy's target.";

function indexFinding(
  check: string,
  url: string,
  index: ApiIndex,
  expectedEndpoint: string,
): Diagnosis {
  const { bot_endpoint: endpoint, versions } = index;
  if (endpoint !== expectedEndpoint) {
    const found = `${url} sends bots to ${String(endpoint)} instead of ${expectedEndpoint}`;
    return failDiagnosis(check, found, "Start doctor and server with the same --base-url.");
  }
  const release = String(versions?.release);
  if (release === RELEASE) return okDiagnosis(check, `${url} answers, release ${release}`);
  const found = `${url} responds with release ${release}, but this is release ${RELEASE}`;
  return warnDiagnosis(check, found, "Restart the server, or run the doctor from its release.");
}

/**
 * The server accepts a bot without a token and then sends it an error. Receiving that error proves
 * that sockets get through the proxy.
 */
async function checkBotSocket(endpoint: string): Promise<Diagnosis> {
  const socket = new WebSocket(endpoint, { handshakeTimeout: CALL_TIMEOUT_MS });
  try {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const [frame] = (await once(socket, "message", { signal })) as [Buffer];
    const { code } = JSON.parse(frame.toString("utf8")) as { code?: unknown };
    if (code === "missing_authorization")
      return okDiagnosis("bot socket", `${endpoint} accepts bots`);
    return failDiagnosis("bot socket", `${endpoint} sent the error ${String(code)}`, SOCKET_ADVICE);
  } catch (error) {
    return failDiagnosis("bot socket", `${endpoint}: ${(error as Error).message}`, SOCKET_ADVICE);
  } finally {
    socket.on("error", () => {});
    socket.terminate();
  }
}

const SOCKET_ADVICE =
  "Configure the proxy to forward WebSocket upgrades for /bot and /play, and the Authorization header.";

function proxyFinding(options: ServeOptions): Diagnosis[] {
  const { "base-url": url, "trust-proxy": proxies } = options;
  const isBehindProxy = url?.startsWith("https:") === true && !isLocal(options);
  if (!isBehindProxy || proxies.length > 0 || !limitsAddresses(options)) return [];
  const found =
    "the server seems to be behind a proxy that it doesn't trust, so all clients share one address's rate limits";
  return [warnDiagnosis("proxy", found, "Set it, for example: --trust-proxy 127.0.0.1.")];
}
