import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A TCP proxy that can cut its connections and refuse new ones until it is restored. */
export type CuttableProxy = {
  port: number;
  disconnect(): void;
  stall(): void;
  restore(): void;
  close(): Promise<void>;
};

export async function openCuttableProxy(host: string, port: number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let isAccepting = true;
  const server = createServer((clientSocket) => {
    if (!isAccepting) {
      clientSocket.destroy();
      return;
    }
    const serverSocket = connect(port, host);
    pipeSocket(clientSocket, serverSocket, sockets);
    pipeSocket(serverSocket, clientSocket, sockets);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const disconnect = () => {
    isAccepting = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    disconnect,
    stall() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    restore: () => (isAccepting = true),
    async close() {
      disconnect();
      server.close();
      await once(server, "close");
    },
  };
}

function pipeSocket(source: Socket, destination: Socket, sockets: Set<Socket>): void {
  sockets.add(source);
  source.pipe(destination);
  source.on("error", () => {});
  source.on("close", () => {
    sockets.delete(source);
    destination.destroy();
  });
}
