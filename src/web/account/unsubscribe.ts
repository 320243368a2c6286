// One-click unsubscribe from an email link without signing in (RFC 8058). GET changes nothing,
// because mail scanners open every link.

import { Type } from "typebox";

import { UnsubscribedSchema, UnsubscribeSchema } from "#core/api/admin-emails.ts";
import { UNSUBSCRIBE_PATH } from "#core/mail/unsubscribe.ts";
import type { UnsubscribeRequest } from "#core/mail/unsubscribe.ts";
import { prefersHtml } from "#web/http/content-negotiation.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithStatus } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";
import type { Pages } from "#web/pages/pages.ts";

const TokenQuery = Type.Object({
  token: Type.Optional(Type.String({ description: "from the link in an email" })),
});

const INVALID_LINK = "This link is invalid or has expired.";
const types = ["application/json", "text/html"];

export function unsubscribeRoutes(app: App, deps: ApiDeps, pages: Pages): void {
  infoRoute(app, deps, pages);
  // Mail clients send a form. Discards bodies of any type and rejects oversized bodies.
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) => done(null));
    unsubscribeRoute(scope, deps, pages);
  });
}

const readToken = ({ accounts }: ApiDeps, token = ""): UnsubscribeRequest | null =>
  accounts?.mail.parseUnsubscribeToken(token) ?? null;

type UnsubscribeInfo = { category: UnsubscribeRequest["category"] | null; message: string };

function infoRoute(app: App, deps: ApiDeps, pages: Pages): void {
  const schema = {
    querystring: TokenQuery,
    response: okResponses(Type.Unsafe<UnsubscribeInfo | string>(UnsubscribeSchema)),
  };
  const summary = "Shows an unsubscribe link's email category; changes nothing";
  const config = { endpoint: "unsubscribe", summary, types };
  app.get(UNSUBSCRIBE_PATH, { schema, config }, async ({ query, headers }, reply) => {
    reply.header("Vary", "Accept");
    if (prefersHtml(headers.accept)) return pages.show(reply, "unsubscribe", { query });
    const category = readToken(deps, query.token)?.category ?? null;
    const message =
      category === null ? INVALID_LINK : "Send a POST request to this address to unsubscribe.";
    return { category, message };
  });
}

type UnsubscribeResult = { category: UnsubscribeRequest["category"]; unsubscribed: boolean };

function unsubscribeRoute(app: App, deps: ApiDeps, pages: Pages): void {
  const schema = {
    querystring: TokenQuery,
    response: okResponses(Type.Unsafe<UnsubscribeResult | string>(UnsubscribedSchema)),
  };
  const summary = "Unsubscribes from a link's email category";
  const hasOwnRateLimit = () => true;
  const config = {
    endpoint: "unsubscribe_now",
    summary,
    types,
    hasOwnRateLimit,
    isBodyUnread: true,
    errorCodes: [400, 413] as const,
  };
  app.post(UNSUBSCRIBE_PATH, { schema, config }, async ({ query, headers }, reply) => {
    reply.header("Vary", "Accept");
    const unsubscribing = readToken(deps, query.token);
    if (unsubscribing === null) return refuseWithStatus(reply, 400, INVALID_LINK);
    await deps.store.accounts.optOut(unsubscribing.accountId, unsubscribing.category);
    if (prefersHtml(headers.accept))
      return pages.show(reply, "unsubscribe", { query: { done: unsubscribing.category } });
    return { category: unsubscribing.category, unsubscribed: true };
  });
}
