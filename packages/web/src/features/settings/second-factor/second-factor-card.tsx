import {
  type ReplyOf,
  removeTotp,
  replaceRecoveryCodes,
  type SecondFactors,
  startTotp,
} from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "#api/call.ts";
import { dateText } from "#format/time.ts";
import { secondFactorsQuery } from "#settings/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { PasswordDialog } from "./password-dialog.tsx";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";
import { SetupDialog } from "./setup-dialog.tsx";

type Step =
  | { readonly kind: "list" }
  | { readonly kind: "start" | "remove" | "replace" }
  | { readonly kind: "set up"; readonly started: ReplyOf<typeof startTotp> }
  | { readonly kind: "codes"; readonly codes: readonly string[] };

/** @param email for password managers: the account of the password */
export function SecondFactorCard({ email }: { readonly email: string }) {
  const [step, setStep] = useState<Step>({ kind: "list" });
  const query = useQuery(secondFactorsQuery);
  return (
    <Card>
      <CardHeader title="Second factor" detail="What a stolen password alone cannot do: sign in as you." />
      <Panel
        query={query}
        loading={<Skeleton className="mx-4 mb-4 h-16" />}
        errorTitle="Failed to load second factors"
      >
        {(factors) => <Factors factors={factors} onStep={setStep} />}
      </Panel>
      <Dialogs step={step} email={email} onStep={setStep} />
    </Card>
  );
}

interface FactorsProps {
  readonly factors: SecondFactors;
  readonly onStep: (step: Step) => void;
}

function Factors({ factors: { totp_since, recovery_codes_left }, onStep }: FactorsProps) {
  const hasApp = totp_since !== null;
  return (
    <ul className="divide-y divide-line border-line border-t">
      <Factor
        name="Authenticator app"
        state={hasApp ? `On since ${dateText(totp_since)}` : "Off"}
        action={
          hasApp ? (
            <Button variant="danger" onClick={() => onStep({ kind: "remove" })}>
              Remove the app
            </Button>
          ) : (
            <Button onClick={() => onStep({ kind: "start" })}>Set up an app</Button>
          )
        }
      />
      {hasApp && (
        <Factor
          name="Recovery codes"
          state={`${recovery_codes_left} left`}
          action={<Button onClick={() => onStep({ kind: "replace" })}>Replace the codes</Button>}
        />
      )}
    </ul>
  );
}

interface FactorProps {
  readonly name: string;
  readonly state: string;
  readonly action: ReactNode;
}

function Factor({ name, state, action }: FactorProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="text-label text-muted">{state}</p>
      </div>
      {action}
    </li>
  );
}

interface DialogsProps {
  readonly step: Step;
  readonly email: string;
  readonly onStep: (step: Step) => void;
}

function Dialogs({ step, email, onStep }: DialogsProps) {
  const client = useQueryClient();
  const close = () => onStep({ kind: "list" });
  const showCodes = (codes: readonly string[]) => {
    onStep({ kind: "codes", codes });
    return client.invalidateQueries(secondFactorsQuery);
  };
  const shared = { email, onClose: close };
  if (step.kind === "codes") return <RecoveryCodesDialog codes={step.codes} onClose={close} />;
  if (step.kind === "set up") {
    return <SetupDialog started={step.started} onConfirmed={showCodes} onClose={close} />;
  }
  if (step.kind === "start") {
    return (
      <PasswordDialog
        {...shared}
        title="Set up an authenticator app"
        description="Signing in with your password will need a code from the app, too."
        action="Continue"
        change={(password) => call(startTotp, { body: { password } })}
        onChanged={(started) => onStep({ kind: "set up", started })}
      />
    );
  }
  if (step.kind === "replace") {
    return (
      <PasswordDialog
        {...shared}
        title="Replace the recovery codes?"
        description="The codes that you have now stop working."
        action="Replace the codes"
        change={(password) => call(replaceRecoveryCodes, { body: { password } })}
        onChanged={({ recovery_codes }) => showCodes(recovery_codes)}
      />
    );
  }
  if (step.kind !== "remove") return null;
  return (
    <PasswordDialog
      {...shared}
      title="Remove the authenticator app?"
      description="Signing in will need no code from the app any more."
      action="Remove the app"
      variant="danger"
      change={(password) => call(removeTotp, { body: { password } })}
      onChanged={(factors) => {
        client.setQueryData(secondFactorsQuery.queryKey, factors);
        showToast("The authenticator app was removed");
        close();
      }}
    />
  );
}
