// Files to download: starter bots and the simulator.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import {
  COMMANDS,
  COMMANDS_ADDRESS,
  commandsAddress,
  commandsFile,
  DownloadsSchema,
  SIMULATOR_FILES,
  SIMULATOR_PREFIX,
} from "#core/resources/download.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWith } from "#web/http/errors.ts";
import { answers, textAnswers } from "#web/http/query.ts";

import { downloadList } from "./downloads.ts";
import { atOwnAddress } from "./links.ts";
import type { CommandsDownload } from "./simulator.ts";

const PathSchema = Type.Object({ "*": Type.String({ description: "as the list has it" }) });
const FileSchema = Type.Object({ file: Type.String({ description: "name of the file" }) });
const ReleaseSchema = Type.Object({
  release: Type.String({ description: "as the address in `commands` of GET /api has it" }),
});
const BytesSchema = Type.Unsafe<Uint8Array | string>(Type.String({ format: "binary" }));

/** For both routes of the author commands. */
const COMMANDS_CONFIG = {
  types: [COMMANDS.type],
  refuses: [404],
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
  const schema = { response: answers(DownloadsSchema) };
  const about = "Bots to begin with, and the commands that start them";
  const config = { endpoint: "downloads", about, public: true };
  app.get("/download/bots", { schema, config }, async () =>
    downloadList(documents.downloads, settings.baseUrl),
  );
  app.get("/download", { config: { public: true } }, (_request, reply) =>
    reply.redirect("/download/bots", 308),
  );
}

function fileRoute(app: App, { documents, settings }: ApiDeps): void {
  const schema = { params: PathSchema, response: textAnswers };
  const about = "One file of a bot to begin with";
  const types = [...new Set([...documents.downloads.values()].map(({ type }) => type))];
  const refuses = [404] as const;
  const config = { endpoint: "download", about, types, refuses, public: true, constant: true };
  app.get("/download/bots/*", { schema, config }, async ({ params }, reply) => {
    const file = documents.downloads.get(params["*"]);
    if (file === undefined) return noSuchFile(reply);
    reply.type(`${file.type}; charset=utf-8`);
    return atOwnAddress(file.text, settings.baseUrl);
  });
}

function simulatorRoute(app: App, { documents }: ApiDeps): void {
  const schema = { params: FileSchema, response: answers(BytesSchema) };
  const about = "One file of the simulator";
  const types = [...new Set(SIMULATOR_FILES.map(({ type }) => type))];
  const refuses = [404] as const;
  const config = { endpoint: "simulator", about, types, refuses, public: true, constant: true };
  app.get(`${SIMULATOR_PREFIX}:file`, { schema, config }, async ({ params }, reply) => {
    const file = documents.simulator.get(params.file);
    if (file === undefined) return noSuchFile(reply);
    reply.type(file.type).header("ETag", file.etag);
    return file.bytes;
  });
}

function commandsRoute(app: App, { documents: { commands } }: ApiDeps): void {
  const schema = { response: answers(BytesSchema) };
  const about = "The author commands as an npm package, for npx";
  const config = { ...COMMANDS_CONFIG, endpoint: "commands", about };
  app.get(COMMANDS_ADDRESS, { schema, config }, async (_request, reply) => {
    return commands === null ? noSuchFile(reply) : sendCommands(reply, commands);
  });
}

function commandsOfReleaseRoute(app: App, { documents: { commands } }: ApiDeps): void {
  const schema = { params: ReleaseSchema, response: answers(BytesSchema) };
  const about = "The same package at an address of its own: that of the running release";
  const config = { ...COMMANDS_CONFIG, endpoint: "commands_of_release", about };
  const path = commandsAddress(commandsFile(":release"));
  app.get(path, { schema, config }, async ({ params }, reply) => {
    if (commands === null) return noSuchFile(reply);
    if (commandsAddress(commandsFile(params.release)) === commands.address)
      return sendCommands(reply, commands);
    return refuseWith(reply, 404, `This ladder serves ${commands.address} instead.`);
  });
}

function sendCommands(reply: FastifyReply, { type, etag, bytes }: CommandsDownload): Uint8Array {
  reply.type(type).header("ETag", etag);
  return bytes;
}

const noSuchFile = (reply: FastifyReply) => refuseWith(reply, 404, "There is no such file.");
