import { type Identity, startIdentityLink, unlinkIdentity } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { dateText } from "#format/time.ts";
import { rememberReturn } from "#session/return-path.ts";
import { identitiesQuery } from "#settings/parts/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { useFinish } from "#ui/overlays/form-dialog.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { Factor } from "./second-factor-card.tsx";

type Step =
  | { readonly kind: "link"; readonly provider: string }
  | { readonly kind: "unlink"; readonly identity: Identity };

/** The person's accounts at identity providers. Nothing on a server without a provider. */
export function IdentitiesCard({ email }: { readonly email: string }) {
  const [step, setStep] = useState<Step>();
  const { data } = useQuery(identitiesQuery);
  if (data === undefined) return null;
  const { provider, identities } = data;
  if (provider === null && identities.length === 0) return null;
  return (
    <Card>
      <CardHeader
        title="Single sign-on"
        detail="Identity provider accounts that sign you in without a password."
        actions={
          provider !== null && (
            <Button onClick={() => setStep({ kind: "link", provider })}>Link {provider}</Button>
          )
        }
      />
      {identities.length === 0 ? (
        <p className="border-line border-t px-4 py-4 text-muted">No linked accounts.</p>
      ) : (
        <ul aria-label="Linked accounts" className="divide-y divide-line border-line border-t">
          {identities.map((identity) => (
            <Factor
              key={identity.id}
              name={identity.issuer}
              state={`Linked ${dateText(identity.linked_at)}`}
              action={
                <Button
                  variant="danger"
                  aria-label={`Unlink ${identity.issuer}`}
                  onClick={() => setStep({ kind: "unlink", identity })}
                >
                  Unlink
                </Button>
              }
            />
          ))}
        </ul>
      )}
      {step !== undefined && <StepDialog step={step} email={email} onClose={() => setStep(undefined)} />}
    </Card>
  );
}

interface StepDialogProps extends Closable {
  readonly step: Step;
  readonly email: string;
}

function StepDialog({ step, email, onClose }: StepDialogProps) {
  const finish = useFinish(onClose);
  if (step.kind === "link") {
    return (
      <PasswordDialog
        email={email}
        title={`Link your account at ${step.provider}`}
        description="Sign in there next. From then on, that account also signs you in here."
        action="Continue"
        change={(password) => call(startIdentityLink, { body: { password } })}
        onChanged={({ url }) => {
          rememberReturn({ path: "/settings?tab=account", isLink: true });
          window.location.assign(url);
        }}
        onClose={onClose}
      />
    );
  }
  const { id, issuer } = step.identity;
  return (
    <PasswordDialog
      email={email}
      title="Unlink this account?"
      description={`You can no longer sign in with your account at ${issuer}. Your password still works.`}
      action="Unlink"
      variant="danger"
      change={(password) => call(unlinkIdentity, { params: { id }, body: { password } })}
      onChanged={() => finish("The account was unlinked", identitiesQuery)}
      onClose={onClose}
    />
  );
}
