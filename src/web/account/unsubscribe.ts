// A kind of mail is refused by the link in a letter, without a sign-in (RFC 8058). To look at the link
// changes nothing: programs that look for danger in mail open every link.

import { Type } from "typebox";

import { UNSUBSCRIBE_PATH } from "#core/mail/unsubscribe.ts";
import type { Unsubscribing } from "#core/mail/unsubscribe.ts";
import { UnsubscribedSchema, UnsubscribeSchema } from "#core/operator/email.ts";
import { prefersHtml } from "#web/http/accept.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";
import type { Pages } from "#web/pages/pages.ts";

const TokenQuery = Type.Object({
  token: Type.Optional(Type.String({ description: "from the link in a letter" })),
});

const DEAD = "This link is not one of ours, or has run out.";
const types = ["application/json", "text/html"];

export function unsubscribeRoutes(app: App, deps: ApiDeps, pages: Pages): void {
  lookRoute(app, deps, pages);
  // Mail programs send a form. A body of any type is dropped, and one over the limit refused.
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) => done(null));
    refuseRoute(scope, deps, pages);
  });
}

const meantBy = ({ accounts }: ApiDeps, token = ""): Unsubscribing | null =>
  accounts?.mail.readUnsubscribe(token) ?? null;

type Looked = { category: Unsubscribing["category"] | null; message: string };

function lookRoute(app: App, deps: ApiDeps, pages: Pages): void {
  const schema = {
    querystring: TokenQuery,
    response: answers(Type.Unsafe<Looked | string>(UnsubscribeSchema)),
  };
  const about = "Which mail a link refuses; changes nothing";
  const config = { endpoint: "unsubscribe", about, types };
  app.get(UNSUBSCRIBE_PATH, { schema, config }, async ({ query, headers }, reply) => {
    reply.header("Vary", "Accept");
    if (prefersHtml(headers.accept)) return pages.show(reply, "unsubscribe", { query });
    const category = meantBy(deps, query.token)?.category ?? null;
    const message = category === null ? DEAD : "POST to this address to get no more of it.";
    return { category, message };
  });
}

type Refused = { category: Unsubscribing["category"]; unsubscribed: boolean };

function refuseRoute(app: App, deps: ApiDeps, pages: Pages): void {
  const schema = {
    querystring: TokenQuery,
    response: answers(Type.Unsafe<Refused | string>(UnsubscribedSchema)),
  };
  const about = "Refuses a kind of mail by the link in a letter";
  const limitsItself = () => true;
  const config = {
    endpoint: "unsubscribe_now",
    about,
    types,
    limitsItself,
    isBodyUnread: true,
    refuses: [400, 413] as const,
  };
  app.post(UNSUBSCRIBE_PATH, { schema, config }, async ({ query, headers }, reply) => {
    reply.header("Vary", "Accept");
    const meant = meantBy(deps, query.token);
    if (meant === null) return refuseWith(reply, 400, DEAD);
    await deps.store.accounts.optOut(meant.accountId, meant.category);
    if (prefersHtml(headers.accept))
      return pages.show(reply, "unsubscribe", { query: { done: meant.category } });
    return { category: meant.category, unsubscribed: true };
  });
}
