import type { AdminAccount } from "#core/resources/admin.ts";

import { Act, Acts } from "./act.tsx";
import type { PartProps } from "./part.ts";
import { PERSON_REASON_READ, reasonIn, reasonQuery, reasonQuestion, wholeIn } from "./questions.ts";

export const nameOf = ({ handle, id }: AdminAccount): string => handle ?? id;

type StepProps = Pick<PartProps, "data" | "desk"> & {
  account: AdminAccount;
  again: () => Promise<void>;
};

type StepsProps = StepProps & Pick<PartProps, "look">;

/** What may be done about an account. Configured operators are changed where they are configured. */
export function AccountSteps({ look, ...props }: StepsProps) {
  const { configured, banned, admin } = props.account;
  return (
    <Acts>
      {!configured && banned === null && <Role {...props} />}
      {!admin && <Ban {...props} />}
      <SignOut {...props} />
      <MostBots {...props} />
      {!admin && <Deletion {...props} look={look} />}
    </Acts>
  );
}

const routesOf = ({ id }: AdminAccount) => `/api/admin/accounts/${id}`;

function Ban({ data, desk, account, again }: StepProps) {
  const [name, isBanned] = [nameOf(account), account.banned !== null];
  const verb = isBanned ? "Unban" : "Ban";
  return (
    <Act
      desk={desk}
      onDone={again}
      ask={verb}
      title={`${verb} ${name}`}
      yes={isBanned ? "Lift the ban" : "Ban"}
      waiting="Asking…"
      questions={[reasonQuestion(data.reason_length, true, PERSON_REASON_READ)]}
      route={(answers) => ({
        method: "POST",
        path: `${routesOf(account)}/${verb.toLowerCase()}`,
        body: reasonIn(answers),
      })}
      done={() => `${name} ${isBanned ? "may come back" : "is banned"}.`}
    >
      <p>
        {isBanned
          ? "Account, keys and bots work as before the ban."
          : "Account, keys and programs are refused, and the bots are disconnected and leave standings and lobby until the ban is lifted."}
      </p>
    </Act>
  );
}

function SignOut({ data, desk, account, again }: StepProps) {
  const name = nameOf(account);
  return (
    <Act
      desk={desk}
      onDone={again}
      ask="Sign out everywhere"
      title={`Sign ${name} out everywhere`}
      yes="Sign out"
      waiting="Signing out…"
      questions={[reasonQuestion(data.reason_length)]}
      route={(answers) => ({
        method: "POST",
        path: `${routesOf(account)}/sign-out`,
        body: reasonIn(answers),
      })}
      done={() => `${name} is signed out everywhere.`}
    >
      <p>Sessions, agent keys and programs end. Tokens of bots stay as they are.</p>
    </Act>
  );
}

function MostBots({ data, desk, account, again }: StepProps) {
  const name = nameOf(account);
  return (
    <Act
      desk={desk}
      onDone={again}
      ask="Number of bots"
      title={`How many bots ${name} may have`}
      yes="Set"
      waiting="Setting…"
      questions={[
        {
          name: "max_bots",
          label: "Bots at most",
          kind: "number",
          given: String(account.max_bots),
          hint: "Left empty, the ladder's setting counts.",
          isOptional: true,
        },
        reasonQuestion(data.reason_length),
      ]}
      route={({ max_bots = "", ...answers }) => {
        const most = wholeIn(max_bots);
        if (most === null && max_bots !== "")
          return { field: "max_bots", text: "This is not a whole number." };
        const body = { max_bots: most, ...reasonIn(answers) };
        return { method: "PUT", path: `${routesOf(account)}/max-bots`, body };
      }}
      done={() => `${name} has another limit.`}
    >
      <p>Bots that are there already stay. Retired ones do not count.</p>
    </Act>
  );
}

function Deletion({ data, desk, account, look }: StepsProps) {
  const name = nameOf(account);
  return (
    <Act
      desk={desk}
      ask="Delete"
      title={`Delete ${name}`}
      yes="Delete for good"
      waiting="Deleting…"
      typed={name}
      questions={[reasonQuestion(data.reason_length, true, PERSON_REASON_READ)]}
      route={(answers) => ({
        method: "DELETE",
        path: routesOf(account) + reasonQuery(answers),
      })}
      done={() => `${name} is deleted.`}
      onDone={() => look(null)}
    >
      <p>
        Sign-in, keys and choices are gone. Bots that never played are deleted, the others are
        banned; their bouts stay, without a name.
      </p>
    </Act>
  );
}

function Role({ data, desk, account, again }: StepProps) {
  const [name, role] = [nameOf(account), account.admin ? "player" : "admin"];
  return (
    <Act
      desk={desk}
      onDone={again}
      ask={account.admin ? "Make a player" : "Make an operator"}
      title={`Make ${name} ${account.admin ? "a player again" : "an operator"}`}
      yes={account.admin ? "Make a player" : "Make an operator"}
      waiting="Asking…"
      questions={[reasonQuestion(data.reason_length)]}
      route={(answers) => ({
        method: "POST",
        path: `${routesOf(account)}/role`,
        body: { role, ...reasonIn(answers) },
      })}
      done={() => `${name} is ${role === "admin" ? "an operator" : "a player"} now.`}
    >
      <p>
        {account.admin
          ? "The console and all routes of operators are closed to them at once, with their keys."
          : "They may do everything that this console does, with their keys too."}
      </p>
    </Act>
  );
}
