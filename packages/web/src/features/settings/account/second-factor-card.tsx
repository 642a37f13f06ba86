import {
  type Passkey,
  type ReplyOf,
  removePasskey,
  removeTotp,
  replaceRecoveryCodes,
  type SecondFactors,
  startTotp,
} from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "#api/call.ts";
import { dateText } from "#format/time.ts";
import { hasPasskeys } from "#passkeys/passkey-button.tsx";
import { secondFactorsQuery } from "#settings/parts/queries.ts";
import { PanelCard } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { useFinish } from "#ui/overlays/form-dialog.tsx";
import { PasskeyDialog, RenamePasskeyDialog } from "./passkey-dialog.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { RecoveryCodesDialog, SetupDialog } from "./setup-dialog.tsx";

type WithPassword =
  | { readonly kind: "start" | "remove" | "replace" }
  | { readonly kind: "remove passkey"; readonly passkey: Passkey };

type Step =
  | { readonly kind: "list" }
  | { readonly kind: "add passkey" }
  | { readonly kind: "rename passkey"; readonly passkey: Passkey }
  | WithPassword
  | { readonly kind: "set up"; readonly started: ReplyOf<typeof startTotp> }
  | { readonly kind: "codes"; readonly codes: readonly string[] };

/** @param email for password managers: the account of the password */
export function SecondFactorCard({ email }: { readonly email: string }) {
  const [step, setStep] = useState<Step>({ kind: "list" });
  const query = useQuery(secondFactorsQuery);
  return (
    <>
      <PanelCard
        title="Second factor"
        detail="Protects your account if the password is stolen."
        query={query}
        loading={<Skeleton className="mx-4 mb-4 h-16" />}
        errorTitle="Failed to load second factors"
      >
        {(factors) => <Factors factors={factors} onStep={setStep} />}
      </PanelCard>
      <Dialogs step={step} email={email} onStep={setStep} />
    </>
  );
}

interface FactorsProps {
  readonly factors: SecondFactors;
  readonly onStep: (step: Step) => void;
}

function Factors({ factors, onStep }: FactorsProps) {
  const { totp_since, passkeys, recovery_codes_left, can_add_passkeys } = factors;
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
      {passkeys.map((passkey) => (
        <PasskeyItem
          key={passkey.id}
          passkey={passkey}
          onRename={() => onStep({ kind: "rename passkey", passkey })}
          onRemove={() => onStep({ kind: "remove passkey", passkey })}
        />
      ))}
      {can_add_passkeys && hasPasskeys() && (
        <Factor
          name="Passkeys"
          state="Sign in with this device or a security key."
          action={<Button onClick={() => onStep({ kind: "add passkey" })}>Add a passkey</Button>}
        />
      )}
      {(hasApp || passkeys.length > 0) && (
        <Factor
          name="Recovery codes"
          state={`${recovery_codes_left} left`}
          action={<Button onClick={() => onStep({ kind: "replace" })}>Replace the codes</Button>}
        />
      )}
    </ul>
  );
}

interface PasskeyItemProps {
  readonly passkey: Passkey;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

function PasskeyItem({ passkey, onRename, onRemove }: PasskeyItemProps) {
  const { name, created_at, last_used_at } = passkey;
  const used = last_used_at === null ? "not used yet" : `last used ${dateText(last_used_at)}`;
  return (
    <Factor
      name={name}
      state={`Passkey, added ${dateText(created_at)}, ${used}`}
      action={
        <div className="flex flex-wrap gap-2">
          <Button aria-label={`Rename the passkey ${name}`} onClick={onRename}>
            Rename
          </Button>
          <Button variant="danger" aria-label={`Remove the passkey ${name}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      }
    />
  );
}

interface FactorProps {
  readonly name: string;
  readonly state: string;
  readonly action: ReactNode;
}

/** A way to sign in, and what can be done with it. */
export function Factor({ name, state, action }: FactorProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0">
        <p className="break-words font-medium">{name}</p>
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
  const finishWith = useFinish(close);
  const finish = (text: string) => finishWith(text, secondFactorsQuery);
  /** Shows the codes of a first second factor; a further one comes without. */
  const showCodes = (codes: readonly string[] | null) => {
    onStep(codes === null ? { kind: "list" } : { kind: "codes", codes });
    return client.invalidateQueries(secondFactorsQuery);
  };
  switch (step.kind) {
    case "list":
      return null;
    case "codes":
      return <RecoveryCodesDialog codes={step.codes} onClose={close} />;
    case "set up":
      return <SetupDialog started={step.started} onConfirmed={showCodes} onClose={close} />;
    case "rename passkey":
      return (
        <RenamePasskeyDialog
          passkey={step.passkey}
          onRenamed={(name) => finish(`The passkey is called ${name} now`)}
          onClose={close}
        />
      );
    case "add passkey":
      return (
        <PasskeyDialog
          email={email}
          onAdded={({ recovery_codes }) => showCodes(recovery_codes)}
          onClose={close}
        />
      );
    default:
      return <PasswordStep step={step} {...{ email, onStep, showCodes, finish }} onClose={close} />;
  }
}

interface PasswordStepProps extends DialogsProps, Closable {
  readonly step: WithPassword;
  readonly showCodes: (codes: readonly string[]) => unknown;
  readonly finish: (text: string) => unknown;
}

/** The steps that begin with the password. */
function PasswordStep({ step, email, onStep, showCodes, finish, onClose }: PasswordStepProps) {
  const shared = { email, onClose };
  if (step.kind === "start") {
    return (
      <PasswordDialog
        {...shared}
        title="Set up an authenticator app"
        description="Signing in with your password will also need a code from the app."
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
        description="Your current codes stop working."
        action="Replace the codes"
        change={(password) => call(replaceRecoveryCodes, { body: { password } })}
        onChanged={({ recovery_codes }) => showCodes(recovery_codes)}
      />
    );
  }
  if (step.kind === "remove passkey") {
    const { id, name } = step.passkey;
    return (
      <PasswordDialog
        {...shared}
        title={`Remove the passkey ${name}?`}
        description="You can no longer sign in with it. Delete it from the device, too."
        action="Remove the passkey"
        variant="danger"
        change={(password) => call(removePasskey, { params: { id }, body: { password } })}
        onChanged={() => finish(`The passkey ${name} was removed`)}
      />
    );
  }
  return (
    <PasswordDialog
      {...shared}
      title="Remove the authenticator app?"
      description="Signing in will no longer ask for a code from the app."
      action="Remove the app"
      variant="danger"
      change={(password) => call(removeTotp, { body: { password } })}
      onChanged={() => finish("The authenticator app was removed")}
    />
  );
}
