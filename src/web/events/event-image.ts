import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import type { ErrorBody } from "#core/api/common-schemas.ts";
import { AdminEventSchema } from "#core/api/event.ts";
import type { AdminEvent } from "#core/api/event.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { IMAGE_TYPES } from "#core/ids/image-types.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { isStorable } from "#data/credentials/storable-text.ts";
import { credentials, operatorHooks } from "#web/admin/admin-route.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { requireAdmin } from "#web/auth/auth-hooks.ts";
import type { App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithStatus } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";

import { applyEventChange, updateEvent } from "./event-change.ts";
import { EventParams, sweepImages } from "./event-route-helpers.ts";

const response = okResponses(AdminEventSchema);

export function eventImageRoutes(app: App, deps: LadderDeps): void {
  // A separate scope, because only this route accepts a raw body.
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

const ALT_HEADER = "x-service-image-alt";
const HeadersSchema = Type.Object({
  [ALT_HEADER]: Type.Optional(
    Type.String({
      description: "alt text, URL-encoded; default: the event's name",
    }),
  ),
});

function uploadRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, headers: HeadersSchema, response };
  const config = {
    endpoint: "admin_event_image",
    summary: "Sets an event's image: PNG, JPEG or WebP as the body, alt text as a header",
    credentials,
    bodyTypes: IMAGE_TYPES,
    errorCodes: [400, 404, 413, 415, 503] as const,
    unsupportedTypeText: NOT_AN_IMAGE,
  };
  const options = {
    schema,
    config,
    onRequest: requireAdmin(deps),
    bodyLimit: FIXED_LIMITS.image_bytes,
  };
  const url = "/api/admin/events/:event/image";
  app.put(url, options, async ({ params, body, headers, caller }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return refuseNotFound(reply, "event");
    const alt = altOf(headers[ALT_HEADER], event);
    if (alt === null) return refuseWithStatus(reply, 400, INVALID_ALT);
    if (!Buffer.isBuffer(body)) return refuseWithStatus(reply, 415, NOT_AN_IMAGE);
    return storeImage(deps, reply, {
      caller,
      event,
      alt,
      body,
      type: headers["content-type"] ?? "",
    });
  });
}

const INVALID_ALT = `The header X-Service-Image-Alt must be URL-encoded text of 1-${FIXED_LIMITS.image_alt_max} characters on a single line.`;
const NOT_AN_IMAGE =
  "The body must be an image with a matching Content-Type: image/png, image/jpeg or image/webp.";

const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;

/**
 * Returns the alt text, or the event's name if the header is absent. Null if the header isn't
 * displayable text.
 */
function altOf(header: string | string[] | undefined, { name }: EventDefinition): string | null {
  if (header === undefined) return name;
  const alt = decodeText(String(header))?.trim() ?? "";
  const { length } = Array.from(alt);
  return length >= 1 &&
    length <= FIXED_LIMITS.image_alt_max &&
    isStorable(alt) &&
    !CONTROL_CHARACTER.test(alt)
    ? alt
    : null;
}

/** Returns null for raw non-ASCII bytes too, because their encoding is unknown. */
function decodeText(text: string): string | null {
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

const IMAGE_ERRORS = {
  too_large: [413, "The image has too many bytes or pixels."],
  unsupported: [415, NOT_AN_IMAGE],
  undecodable: [400, "The image can't be decoded: it is damaged or truncated."],
  unavailable: [503, "This server can't accept images now. Try again later."],
} as const;

/** Stores the image and adds it to the event before a sweep can remove it as unreferenced. */
async function storeImage(
  deps: LadderDeps,
  reply: FastifyReply,
  { caller, event, alt, body, type }: Upload,
): Promise<AdminEvent | ErrorBody> {
  let updatedEvent: AdminEvent | ErrorBody | null = null;
  const result = await deps.images.store(body, type, async ({ hash, width, height }) => {
    const image = { hash, alt, width, height };
    updatedEvent = await updateEvent(deps, reply, event.id, (currentEvent) =>
      applyEventChange(deps, caller, currentEvent, { image }, "event.image"),
    );
  });
  if (result.outcome === "kept") {
    sweepImages(deps);
    return updatedEvent ?? refuseNotFound(reply, "event");
  }
  const [status, text] = IMAGE_ERRORS[result.outcome];
  return refuseWithStatus(reply, status, text);
}

function removalRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, response };
  const config = {
    endpoint: "admin_event_image_removal",
    summary: "Removes an event's image",
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/events/:event/image", options, async ({ params, caller }, reply) => {
    const updatedEvent = await updateEvent(deps, reply, params.event, (event) =>
      applyEventChange(deps, caller, event, { image: null }, "event.image"),
    );
    sweepImages(deps);
    return updatedEvent;
  });
}
