import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

import type { Browser } from "playwright-core";

import { launchBrowser } from "#testing/fixtures/launch-browser.ts";

export type DrivenBrowser = { browser: Browser; port: number };

export async function openBrowser(): Promise<DrivenBrowser> {
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  return { browser, port };
}

/**
 * Picks the port in advance: the browser only writes its port to a folder that the driver hides.
 */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
