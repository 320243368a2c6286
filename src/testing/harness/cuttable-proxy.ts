import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A TCP proxy on its own port, whose connections can be cut, and refused until mended. */
export type CuttableProxy = {
  port: number;
  cut(): void;
  /** From now on nothing passes on existing connections, and neither end is told. */
  deaden(): void;
  mend(): void;
  close(): Promise<void>;
};

export async function openCuttableProxy(host: string, port: number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) {
      near.destroy();
      return;
    }
    const far = connect(port, host);
    join(near, far, sockets);
    join(far, near, sockets);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    whole = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    deaden() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => (whole = true),
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

function join(one: Socket, other: Socket, sockets: Set<Socket>): void {
  sockets.add(one);
  one.pipe(other);
  one.on("error", () => {});
  one.on("close", () => {
    sockets.delete(one);
    other.destroy();
  });
}
