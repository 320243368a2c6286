import { Readable } from "node:stream";

import { Type } from "typebox";

import { CpuProfileSchema } from "#core/api/clean-profile.ts";
import type { CpuProfile } from "#core/api/clean-profile.ts";
import {
  CaptureSchema,
  NewCaptureSchema,
  ProfilingSchema,
  StartedCaptureSchema,
} from "#core/api/profiling.ts";
import type { Capture, StartedCapture } from "#core/api/profiling.ts";
import { auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, errorResponses, refuseWithCode } from "#web/http/errors.ts";
import { okResponses, parseId } from "#web/http/route-params.ts";

import { credentials, operatorHooks } from "./admin-route.ts";

const params = Type.Object({ id: Type.String({ description: "id of the capture" }) });

export function profilingRoutes(app: App, deps: ApiDeps): void {
  statsRoute(app, deps);
  startRoute(app, deps);
  captureRoute(app, deps);
  downloadRoute(app, deps);
}

function statsRoute(app: App, deps: ApiDeps): void {
  const schema = { response: okResponses(ProfilingSchema) };
  const summary = "Profiling metrics and captures";
  const errorCodes = ["profiling_disabled"] as const;
  const config = {
    endpoint: "admin_profiling",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/profiling", options, async (_request, reply) => {
    const { profiling } = deps;
    if (profiling === null) return refuseWithCode(reply, "profiling_disabled");
    return { captures: await profiling.list(), ...profiling.metrics() };
  });
}

function startRoute(app: App, deps: ApiDeps): void {
  const schema = {
    body: NewCaptureSchema,
    response: { 201: StartedCaptureSchema, ...errorResponses },
  };
  const summary = "Records a CPU profile of the thread that runs matches";
  const errorCodes = ["profiling_disabled", "capture_running"] as const;
  const config = {
    endpoint: "admin_profiling_capture",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/profiling/captures", options, async ({ body, caller }, reply) => {
    const { profiling } = deps;
    if (profiling === null) return refuseWithCode(reply, "profiling_disabled");
    const { label, duration_seconds } = body;
    const capture = await profiling.start(label, duration_seconds);
    if (capture === null) return refuseWithCode(reply, "capture_running");
    const subject = { kind: "capture", id: capture.id, name: label } as const;
    const actor = auditActor(assertAuthenticated(caller));
    const detail = { duration_seconds };
    const auditEntry = newAuditEntry(deps, actor, "profiling.captured", subject, { detail });
    await deps.store.audit.add([auditEntry]);
    reply.code(201);
    return startedCaptureView(capture);
  });
}

const startedCaptureView = ({ id, label, started, endsAt, state }: Capture): StartedCapture => ({
  id,
  label,
  started,
  endsAt,
  state,
});

function captureRoute(app: App, deps: ApiDeps): void {
  const schema = { params, response: okResponses(CaptureSchema) };
  const summary = "A capture, including one that is still recording";
  const errorCodes = [404, "profiling_disabled"] as const;
  const config = {
    endpoint: "admin_profiling_capture_state",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/profiling/captures/:id", options, async ({ params: { id } }, reply) => {
    if (deps.profiling === null) return refuseWithCode(reply, "profiling_disabled");
    return (await deps.profiling.byId(parseId(id) ?? "")) ?? refuseNotFound(reply, "capture");
  });
}

const ProfileSchema = Type.Unsafe<CpuProfile | Readable>(CpuProfileSchema);

function downloadRoute(app: App, deps: ApiDeps): void {
  const schema = { params, response: okResponses(ProfileSchema) };
  const summary = "Downloads a capture's profile, for browser dev tools and editors";
  const errorCodes = [404, "profiling_disabled", "capture_incomplete"] as const;
  const config = {
    endpoint: "admin_profiling_download",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const path = "/api/admin/profiling/captures/:id/download";
  app.get(path, options, async (request, reply) => {
    const { profiling } = deps;
    if (profiling === null) return refuseWithCode(reply, "profiling_disabled");
    const capture = await profiling.byId(parseId(request.params.id) ?? "");
    if (capture === null || capture.state === "failed") return refuseNotFound(reply, "capture");
    if (capture.state === "recording") return refuseWithCode(reply, "capture_incomplete");
    reply.type("application/json").header("Content-Length", capture.size_bytes ?? 0);
    reply.header("Content-Disposition", `attachment; filename="${capture.id}.cpuprofile"`);
    // For a HEAD request, Fastify would otherwise read the whole stream.
    const isHead = request.method === "HEAD";
    return reply.send(isHead ? Readable.from([]) : profiling.read(capture));
  });
}
