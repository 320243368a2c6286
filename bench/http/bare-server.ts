import type { AddressInfo } from "node:net";

import Fastify from "fastify";

export type StaticResponse = { path: string; type: string; body: string };

process.once("message", (routes: StaticResponse[]) => {
  const app = Fastify();
  for (const { path, type, body } of routes)
    app.get(path, (_request, reply) => {
      reply.type(type).send(body);
    });
  void app.listen({ host: "127.0.0.1", port: 0 }).then(() => {
    const { port } = app.server.address() as AddressInfo;
    process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
  });
});
