// Operators look at where the server's time goes, and record profiles of the thread that serves.

import { Readable } from "node:stream";

import { Type } from "typebox";

import { CpuProfileSchema } from "#core/operator/clean-profile.ts";
import type { CpuProfile } from "#core/operator/clean-profile.ts";
import {
  CaptureSchema,
  NewCaptureSchema,
  ProfilingSchema,
  StartedCaptureSchema,
} from "#core/operator/profiling.ts";
import type { Capture, StartedCapture } from "#core/operator/profiling.ts";
import { admitted } from "#web/auth/auth.ts";
import { actorOf, entryOf } from "#web/auth/entry.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refusals, refuse } from "#web/http/errors.ts";
import { answers, idOf } from "#web/http/query.ts";

import { credentials, operatorHooks } from "./operator.ts";

const params = Type.Object({ id: Type.String({ description: "id of the capture" }) });

export function profilingRoutes(app: App, deps: ApiDeps): void {
  figuresRoute(app, deps);
  startRoute(app, deps);
  captureRoute(app, deps);
  downloadRoute(app, deps);
}

function figuresRoute(app: App, deps: ApiDeps): void {
  const schema = { response: answers(ProfilingSchema) };
  const about = "Where the server's time goes, and its captures";
  const refuses = ["profiling_disabled"] as const;
  const config = { endpoint: "admin_profiling", about, credentials, refuses };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/profiling", options, async (_request, reply) => {
    const { profiling } = deps;
    if (profiling === null) return refuse(reply, "profiling_disabled");
    return { captures: await profiling.list(), ...profiling.figures() };
  });
}

function startRoute(app: App, deps: ApiDeps): void {
  const schema = {
    body: NewCaptureSchema,
    response: { 201: StartedCaptureSchema, ...refusals },
  };
  const about = "Records a profile of the thread that serves matches";
  const refuses = ["profiling_disabled", "capture_running"] as const;
  const config = { endpoint: "admin_profiling_capture", about, credentials, refuses };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/profiling/captures", options, async ({ body, caller }, reply) => {
    const { profiling } = deps;
    if (profiling === null) return refuse(reply, "profiling_disabled");
    const { label, duration_seconds } = body;
    const capture = await profiling.start(label, duration_seconds);
    if (capture === null) return refuse(reply, "capture_running");
    const subject = { kind: "capture", id: capture.id, name: label } as const;
    const actor = actorOf(admitted(caller));
    const detail = { duration_seconds };
    const note = entryOf(deps, actor, "profiling.captured", subject, { detail });
    await deps.store.audit.add([note]);
    reply.code(201);
    return startedView(capture);
  });
}

const startedView = ({ id, label, started, endsAt, state }: Capture): StartedCapture => ({
  id,
  label,
  started,
  endsAt,
  state,
});

function captureRoute(app: App, deps: ApiDeps): void {
  const schema = { params, response: answers(CaptureSchema) };
  const about = "One capture, also while it is recorded";
  const refuses = [404, "profiling_disabled"] as const;
  const config = { endpoint: "admin_profiling_capture_state", about, credentials, refuses };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/profiling/captures/:id", options, async ({ params: { id } }, reply) => {
    if (deps.profiling === null) return refuse(reply, "profiling_disabled");
    return (await deps.profiling.byId(idOf(id) ?? "")) ?? missing(reply, "capture");
  });
}

/** The file is sent as it is on disk. */
const ProfileSchema = Type.Unsafe<CpuProfile | Readable>(CpuProfileSchema);

function downloadRoute(app: App, deps: ApiDeps): void {
  const schema = { params, response: answers(ProfileSchema) };
  const about = "The profile of a capture as a file, which browsers and editors open";
  const refuses = [404, "profiling_disabled", "capture_incomplete"] as const;
  const config = { endpoint: "admin_profiling_download", about, credentials, refuses };
  const options = { schema, config, ...operatorHooks(deps) };
  const path = "/api/admin/profiling/captures/:id/download";
  app.get(path, options, async (request, reply) => {
    const { profiling } = deps;
    if (profiling === null) return refuse(reply, "profiling_disabled");
    const capture = await profiling.byId(idOf(request.params.id) ?? "");
    if (capture === null || capture.state === "failed") return missing(reply, "capture");
    if (capture.state === "recording") return refuse(reply, "capture_incomplete");
    reply.type("application/json").header("Content-Length", capture.size_bytes ?? 0);
    reply.header("Content-Disposition", `attachment; filename="${capture.id}.cpuprofile"`);
    // A HEAD of a stream would read all of it.
    const isHead = request.method === "HEAD";
    return reply.send(isHead ? Readable.from([]) : profiling.read(capture));
  });
}
