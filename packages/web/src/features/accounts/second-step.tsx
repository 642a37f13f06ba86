import { finishLogin, type SecondFactorNeeded, type SignedIn } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { AccountForm, formText, useAccountForm } from "./form.tsx";

type Needed = SecondFactorNeeded["second_factor"];

const fields = {
  totp: { label: "Code", hint: "Six digits from your authenticator app." },
  recovery_code: { label: "Recovery code", hint: "One of the codes that you kept. Each works once." },
} as const;

interface SecondStepProps {
  readonly needed: Needed;
  readonly invitation: string | undefined;
  readonly onSignedIn: (reply: SignedIn) => Promise<void>;
  /** Back to email and password. */
  readonly onBack: () => void;
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondStep({ needed, invitation, onSignedIn, onBack }: SecondStepProps) {
  const [method, setMethod] = useState<keyof typeof fields>("totp");
  const others = needed.methods.filter((each) => each !== method);
  return (
    <div className="flex flex-col gap-4">
      <p>Your account has a second factor.</p>
      <CodeForm key={method} {...{ needed, invitation, onSignedIn, method }} />
      <div className="flex flex-wrap justify-center gap-2">
        {others.map((other) => (
          <Button key={other} variant="ghost" onClick={() => setMethod(other)}>
            {other === "totp" ? "Use a code from the app" : "Use a recovery code"}
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
  readonly method: keyof typeof fields;
}

function CodeForm({ needed, invitation, onSignedIn, method }: CodeFormProps) {
  const { label, hint } = fields[method];
  const attempt = useMutation({
    mutationFn: (code: string) =>
      call(finishLogin, { body: { token: needed.token, code, ...(invitation && { invitation }) } }),
    onSuccess: onSignedIn,
  });
  const form = useAccountForm(
    (data) => formText(data, "code").trim(),
    (code) => (code === "" ? { text: "Enter the code", fields: ["code"] } : undefined),
    (code) => attempt.mutate(code),
  );
  return (
    <AccountForm
      form={form}
      request={attempt}
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
