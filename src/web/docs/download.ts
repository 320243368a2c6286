import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import {
  COMMANDS_PACKAGE,
  COMMANDS_PATH,
  commandsPath,
  commandsFileName,
  DownloadsSchema,
  SIMULATOR_FILES,
  SIMULATOR_PATH_PREFIX,
} from "#core/api/download.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithStatus } from "#web/http/errors.ts";
import { okResponses, textResponse } from "#web/http/route-params.ts";

import { downloadList } from "./downloads.ts";
import { withBaseUrl } from "./links.ts";
import type { CommandsDownload } from "./simulator.ts";

const PathSchema = Type.Object({ "*": Type.String({ description: "as in the list" }) });
const FileSchema = Type.Object({ file: Type.String({ description: "name of the file" }) });
const ReleaseSchema = Type.Object({
  release: Type.String({ description: "as in `commands` of GET /api" }),
});
const BytesSchema = Type.Unsafe<Uint8Array | string>(Type.String({ format: "binary" }));

const COMMANDS_CONFIG = {
  types: [COMMANDS_PACKAGE.type],
  errorCodes: [404],
  public: true,
  constant: true,
} as const;

export function downloadRoutes(app: App, deps: ApiDeps): void {
  listRoute(app, deps);
  fileRoute(app, deps);
  simulatorRoute(app, deps);
  commandsRoute(app, deps);
  commandsOfReleaseRoute(app, deps);
}

function listRoute(app: App, { documents, settings }: ApiDeps): void {
  const schema = { response: okResponses(DownloadsSchema) };
  const summary = "Starter bots, and the commands to run them";
  const config = { endpoint: "downloads", summary, public: true };
  app.get("/download/bots", { schema, config }, async () =>
    downloadList(documents.downloads, settings.baseUrl),
  );
  app.get("/download", { config: { public: true } }, (_request, reply) =>
    reply.redirect("/download/bots", 308),
  );
}

function fileRoute(app: App, { documents, settings }: ApiDeps): void {
  const schema = { params: PathSchema, response: textResponse };
  const summary = "A file of a starter bot";
  const types = [...new Set([...documents.downloads.values()].map(({ type }) => type))];
  const errorCodes = [404] as const;
  const config = { endpoint: "download", summary, types, errorCodes, public: true, constant: true };
  app.get("/download/bots/*", { schema, config }, async ({ params }, reply) => {
    const file = documents.downloads.get(params["*"]);
    if (file === undefined) return refuseUnknownFile(reply);
    reply.type(`${file.type}; charset=utf-8`);
    return withBaseUrl(file.text, settings.baseUrl);
  });
}

function simulatorRoute(app: App, { documents }: ApiDeps): void {
  const schema = { params: FileSchema, response: okResponses(BytesSchema) };
  const summary = "A file of the simulator";
  const types = [...new Set(SIMULATOR_FILES.map(({ type }) => type))];
  const errorCodes = [404] as const;
  const config = {
    endpoint: "simulator",
    summary,
    types,
    errorCodes,
    public: true,
    constant: true,
  };
  app.get(`${SIMULATOR_PATH_PREFIX}:file`, { schema, config }, async ({ params }, reply) => {
    const file = documents.simulator.get(params.file);
    if (file === undefined) return refuseUnknownFile(reply);
    reply.type(file.type).header("ETag", file.etag);
    return file.bytes;
  });
}

function commandsRoute(app: App, { documents: { commands } }: ApiDeps): void {
  const schema = { response: okResponses(BytesSchema) };
  const summary = "The author commands as an npm package, for npx";
  const config = { ...COMMANDS_CONFIG, endpoint: "commands", summary };
  app.get(COMMANDS_PATH, { schema, config }, async (_request, reply) => {
    return commands === null ? refuseUnknownFile(reply) : sendCommands(reply, commands);
  });
}

function commandsOfReleaseRoute(app: App, { documents: { commands } }: ApiDeps): void {
  const schema = { params: ReleaseSchema, response: okResponses(BytesSchema) };
  const summary = "The same package at the versioned address of the running release";
  const config = { ...COMMANDS_CONFIG, endpoint: "commands_of_release", summary };
  const path = commandsPath(commandsFileName(":release"));
  app.get(path, { schema, config }, async ({ params }, reply) => {
    if (commands === null) return refuseUnknownFile(reply);
    if (commandsPath(commandsFileName(params.release)) === commands.address)
      return sendCommands(reply, commands);
    return refuseWithStatus(reply, 404, `This server provides ${commands.address} instead.`);
  });
}

function sendCommands(reply: FastifyReply, { type, etag, bytes }: CommandsDownload): Uint8Array {
  reply.type(type).header("ETag", etag);
  return bytes;
}

const refuseUnknownFile = (reply: FastifyReply) =>
  refuseWithStatus(reply, 404, "There is no such file.");
