// The picture of an event: sent as it is, kept as WebP.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import type { EventDefinition } from "#core/events/event.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import { AdminEventSchema } from "#core/resources/event.ts";
import type { AdminEvent } from "#core/resources/event.ts";
import { IMAGE_TYPES } from "#core/words/images.ts";
import { FIXED } from "#core/words/limits.ts";
import { isStorable } from "#data/access/storable.ts";
import { credentials, operatorHooks } from "#web/admin/operator.ts";
import { requireAdmin } from "#web/auth/auth.ts";
import type { Caller } from "#web/auth/people.ts";
import type { App } from "#web/http/deps.ts";
import { missing, refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";
import type { LadderDeps } from "#web/ladders/door.ts";

import { apply, changing } from "./event-change.ts";
import { EventParams, sweepImages } from "./event-parts.ts";

const response = answers(AdminEventSchema);

export function eventImageRoutes(app: App, deps: LadderDeps): void {
  // In a scope of its own: nowhere else is a body taken as it is.
  void app.register(async (scope: App) => {
    scope.removeContentTypeParser("application/json");
    for (const type of IMAGE_TYPES)
      scope.addContentTypeParser(type, { parseAs: "buffer" }, (_request, body, done) =>
        done(null, body),
      );
    uploadRoute(scope, deps);
  });
  removalRoute(app, deps);
}

/** The name that the contract gives to the header with the alternative text. */
const ALT_HEADER = "x-service-image-alt";
const HeadersSchema = Type.Object({
  [ALT_HEADER]: Type.Optional(
    Type.String({
      description: "text in place of the picture, URL-encoded; its event's name if absent",
    }),
  ),
});

function uploadRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, headers: HeadersSchema, response };
  const config = {
    endpoint: "admin_event_image",
    about: "Sets the picture of an event: PNG, JPEG or WebP as the body, its text in a header",
    credentials,
    takes: IMAGE_TYPES,
    refuses: [400, 404, 413, 415, 503] as const,
    mediaText: NO_PICTURE,
  };
  const options = {
    schema,
    config,
    onRequest: requireAdmin(deps),
    bodyLimit: FIXED.image_bytes,
  };
  const url = "/api/admin/events/:event/image";
  app.put(url, options, async ({ params, body, headers, caller }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return missing(reply, "event");
    const alt = altOf(headers[ALT_HEADER], event);
    if (alt === null) return refuseWith(reply, 400, BAD_ALT);
    if (!Buffer.isBuffer(body)) return refuseWith(reply, 415, NO_PICTURE);
    return keep(deps, reply, { caller, event, alt, body, type: headers["content-type"] ?? "" });
  });
}

const BAD_ALT = `The header X-Service-Image-Alt must be URL-encoded text of 1-${FIXED.image_alt_max} characters in one line.`;
const NO_PICTURE =
  "The body must be a picture, sent with its Content-Type: image/png, image/jpeg or image/webp.";

/** Of lines, and other characters without a look. */
const BREAK = /[\p{Cc}\u2028\u2029]/u;

/** Null where it is no text that can be shown. */
function altOf(header: string | string[] | undefined, { name }: EventDefinition): string | null {
  if (header === undefined) return name;
  const alt = decoded(String(header))?.trim() ?? "";
  const { length } = Array.from(alt);
  return length >= 1 && length <= FIXED.image_alt_max && isStorable(alt) && !BREAK.test(alt)
    ? alt
    : null;
}

/** Null for raw bytes above ASCII too: their encoding is unknown. */
function decoded(text: string): string | null {
  if (/[^ -~]/.test(text)) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

type Upload = {
  caller: Caller | null;
  event: EventDefinition;
  alt: string;
  body: Buffer;
  type: string;
};

const FAILURES = {
  too_large: [413, "The picture has too many bytes or pixels."],
  unsupported: [415, NO_PICTURE],
  undecodable: [400, "The picture cannot be decoded: it is damaged or cut short."],
  unavailable: [503, "This server cannot take pictures now."],
} as const;

/** The event names the picture before a sweep can take it for one that nobody needs. */
async function keep(
  deps: LadderDeps,
  reply: FastifyReply,
  { caller, event, alt, body, type }: Upload,
): Promise<AdminEvent | ErrorBody> {
  let answer: AdminEvent | ErrorBody | null = null;
  const kept = await deps.images.keep(body, type, async ({ hash, width, height }) => {
    const image = { hash, alt, width, height };
    answer = await changing(deps, reply, event.id, (present) =>
      apply(deps, caller, present, { image }, "event.image"),
    );
  });
  if (kept.outcome === "kept") {
    sweepImages(deps);
    return answer ?? missing(reply, "event");
  }
  const [status, text] = FAILURES[kept.outcome];
  return refuseWith(reply, status, text);
}

function removalRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, response };
  const config = {
    endpoint: "admin_event_image_removal",
    about: "Takes the picture of an event away",
    credentials,
    refuses: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/events/:event/image", options, async ({ params, caller }, reply) => {
    const answer = await changing(deps, reply, params.event, (event) =>
      apply(deps, caller, event, { image: null }, "event.image"),
    );
    sweepImages(deps);
    return answer;
  });
}
