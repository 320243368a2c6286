// The port and the public address: whether what answers there is this ladder, sockets too.

import { once } from "node:events";
import { createServer } from "node:net";

import { WebSocket } from "ws";

import type { Holding } from "#data/access/server-lock.ts";
import { baseUrlOf, botEndpointOf, isLocal, limitsAddresses } from "#server/composition/address.ts";
import { RELEASE } from "#server/composition/release.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";

import { CALL_TIMEOUT_MS, failure, fine, warning } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { dateFinding } from "./provider.ts";

type Index = { bot_endpoint?: unknown; versions?: { release?: unknown } };

/** The public address: of a server that runs on a port that was left open, what it said itself. */
export function addressOf(options: ServeOptions, holding: Holding): string {
  const told = holding.isHeld ? (holding.holder?.address ?? null) : null;
  if (options["base-url"] === null && told !== null) return told;
  return baseUrlOf(options, options.port);
}

export async function lookAtAddress(options: ServeOptions, holding: Holding): Promise<Diagnosis[]> {
  const baseUrl = addressOf(options, holding);
  const proxies = proxyFinding(options);
  if (!holding.isHeld) return [await freePort(options), ...proxies];
  const local = options.port === 0 ? baseUrl : localUrl(options);
  const near = await ask("port", local, baseUrl);
  const isBehind = options["base-url"] !== null && options["base-url"] !== local;
  const far = isBehind ? await ask("base URL", baseUrl, baseUrl) : [];
  return [...near, ...far, await askSocket(botEndpointOf(baseUrl)), ...proxies];
}

const WILDCARDS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function localUrl({ host, port }: ServeOptions): string {
  const name = WILDCARDS[host] ?? host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

async function freePort({ host, port }: ServeOptions): Promise<Diagnosis> {
  const trial = createServer();
  try {
    trial.listen({ host, port });
    await once(trial, "listening");
    return fine("port", `${port === 0 ? "any port" : port} of ${host} is free`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const advice = "Choose another --port or --host, or end what has it.";
    return failure("port", `${host}:${port} cannot be listened on (${code})`, advice);
  } finally {
    trial.close();
  }
}

/** Asks for the index at `url`, which has to be that of the ladder at `baseUrl`. */
async function ask(check: string, url: string, baseUrl: string): Promise<Diagnosis[]> {
  const wanted = botEndpointOf(baseUrl);
  try {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const answer = await fetch(`${url}/api`, { signal, redirect: "manual" });
    const skew = check === "base URL" ? dateFinding("clock of the base URL", answer) : [];
    if (!answer.ok) return [failure(check, `${url}/api is ${answer.status}`, PROXY), ...skew];
    const index = (await answer.json()) as Index;
    return [indexFinding(check, url, index, wanted), ...skew];
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    return [failure(check, `${url}/api: ${cause?.code ?? message}`, PROXY)];
  }
}

const PROXY = "See to --base-url, DNS, the certificate, and where the proxy leads.";

function indexFinding(check: string, url: string, index: Index, wanted: string): Diagnosis {
  const { bot_endpoint: endpoint, versions } = index;
  if (endpoint !== wanted) {
    const found = `${url} sends bots to ${String(endpoint)}, not to ${wanted}`;
    return failure(check, found, "Give doctor and server the same --base-url.");
  }
  const release = String(versions?.release);
  if (release === RELEASE) return fine(check, `${url} answers, release ${release}`);
  const found = `${url} answers with release ${release}, and this is ${RELEASE}`;
  return warning(check, found, "Restart the server, or take the doctor of its release.");
}

/** A bot without a token is let in and told so: what is in between passes sockets on. */
async function askSocket(endpoint: string): Promise<Diagnosis> {
  const socket = new WebSocket(endpoint, { handshakeTimeout: CALL_TIMEOUT_MS });
  try {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const [frame] = (await once(socket, "message", { signal })) as [Buffer];
    const { code } = JSON.parse(frame.toString("utf8")) as { code?: unknown };
    if (code === "missing_authorization") return fine("bot socket", `${endpoint} takes bots`);
    return failure("bot socket", `${endpoint} says ${String(code)}`, SOCKETS);
  } catch (error) {
    return failure("bot socket", `${endpoint}: ${(error as Error).message}`, SOCKETS);
  } finally {
    socket.on("error", () => {});
    socket.terminate();
  }
}

const SOCKETS = "Let the proxy pass on WebSocket upgrades of /bot and /play, and Authorization.";

function proxyFinding(options: ServeOptions): Diagnosis[] {
  const { "base-url": url, "trust-proxy": proxies } = options;
  const isBehind = url?.startsWith("https:") === true && !isLocal(options);
  if (!isBehind || proxies.length > 0 || !limitsAddresses(options)) return [];
  const found =
    "there seems to be a proxy, and none is trusted: everybody shares one address's limits";
  return [warning("proxy", found, "Name it: --trust-proxy 127.0.0.1.")];
}
