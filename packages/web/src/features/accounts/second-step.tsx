import { finishLogin, type SecondFactorNeeded, type SignedIn } from "@flamekeep/contract";
import { useState } from "react";
import { call } from "#api/call.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { PasskeyButton } from "#passkeys/passkey-button.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { AccountForm, useAccountForm } from "./form.tsx";

type Needed = SecondFactorNeeded["second_factor"];
type Method = Needed["methods"][number];

const codes = {
  totp: { label: "Code", hint: "Six digits from your authenticator app." },
  recovery_code: { label: "Recovery code", hint: "One of the codes you saved. Each works once." },
} as const;

const choices: Readonly<Record<Method, string>> = {
  totp: "Use a code from the app",
  passkey: "Use a passkey",
  recovery_code: "Use a recovery code",
};

interface SecondStepProps {
  readonly needed: Needed;
  readonly invitation: string | undefined;
  readonly onSignedIn: (reply: SignedIn) => Promise<void>;
  /** Back to email and password. */
  readonly onBack: () => void;
}

/** The second step of a sign-in: a code of the authenticator app, a passkey, or a recovery code. */
export function SecondStep({ needed, invitation, onSignedIn, onBack }: SecondStepProps) {
  const [method, setMethod] = useState<Method>(needed.methods[0] ?? "recovery_code");
  const others = needed.methods.filter((each) => each !== method);
  const shared = { invitation, onSignedIn };
  usePageTitle("Second factor");
  return (
    <div className="flex flex-col gap-4">
      <p>Password accepted. Now confirm with your second factor.</p>
      {method === "passkey" ? (
        <PasskeyButton {...shared} label="Continue with a passkey" token={needed.token} />
      ) : (
        <CodeForm key={method} {...shared} needed={needed} method={method} />
      )}
      <div className="flex flex-wrap justify-center gap-2">
        {others.map((other) => (
          <Button key={other} variant="ghost" onClick={() => setMethod(other)}>
            {choices[other]}
          </Button>
        ))}
        <Button variant="ghost" onClick={onBack}>
          Back to sign in
        </Button>
      </div>
    </div>
  );
}

interface CodeFormProps extends Omit<SecondStepProps, "onBack"> {
  readonly method: keyof typeof codes;
}

function CodeForm({ needed, invitation, onSignedIn, method }: CodeFormProps) {
  const { label, hint } = codes[method];
  const form = useAccountForm({
    names: ["code"],
    check: ({ code }) => (code.trim() === "" ? { text: "Enter the code", fields: ["code"] } : undefined),
    send: ({ code }) =>
      call(finishLogin, {
        body: { token: needed.token, code: code.trim(), ...(invitation && { invitation }) },
      }),
    onSent: onSignedIn,
  });
  return (
    <AccountForm
      form={form}
      failedText="The code could not be checked. Please try again."
      action="Continue"
      pendingAction="Checking..."
    >
      <Field
        label={label}
        hint={hint}
        autoComplete={method === "totp" ? "one-time-code" : "off"}
        inputMode={method === "totp" ? "numeric" : "text"}
        spellCheck={false}
        autoFocus
        {...form.field("code")}
      />
    </AccountForm>
  );
}
