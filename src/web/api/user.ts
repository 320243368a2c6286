import { Type } from "typebox";

import { UserSchema } from "#core/resources/user.ts";
import type { App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, ladder } from "#web/http/query.ts";

/** Without accounts there are no users: a bot's owner is just a name. */
export function userRoutes(app: App): void {
  const schema = {
    params: Type.Object({ handle: Type.String({ description: "in any letter case" }) }),
    querystring: Type.Object({ ladder }),
    response: answers(UserSchema),
  };
  const about = "A person with their bots on one ladder";
  const config = { endpoint: "user", about, refuses: [404] as const, public: true };
  app.get("/api/users/:handle", { schema, config }, async (_request, reply) =>
    missing(reply, "user"),
  );
}
