import {
  createResetLink,
  findAccount,
  type OperatedAccount,
  type ReplyOf,
  removeSecondFactors,
  setAccountActive,
  transferOperatorRole,
} from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { exactTime } from "#format/time.ts";
import { noteOperatorRoleLost } from "#session/session.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";

/** Help for a person who is locked out, and the end of access for one who left. */
export function Accounts() {
  const [email, setEmail] = useState("");
  const [account, setAccount] = useState<OperatedAccount>();
  const search = useMutation({
    mutationFn: () => call(findAccount, { body: { email } }),
    onMutate: () => setAccount(undefined),
    onSuccess: ({ account: found }) => setAccount(found),
  });
  const find = (event: FormEvent) => {
    event.preventDefault();
    search.mutate();
  };
  return (
    <Card>
      <CardHeader
        title="Accounts"
        detail="Disable an account or restore access to it. The audit log of its organizations records each change."
      />
      <form onSubmit={find} className="flex flex-wrap items-end gap-2 border-line border-t px-4 py-4">
        <Field
          label="Email address"
          name="email"
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" disabled={email.trim() === "" || search.isPending}>
          Find
        </Button>
      </form>
      {search.error && (
        <p role="alert" className="px-4 pb-4 text-critical-text">
          {serverText(search.error, "Failed to find the account")}
        </p>
      )}
      {account && <Account key={account.id} account={account} onChange={setAccount} />}
    </Card>
  );
}

interface AccountProps {
  readonly account: OperatedAccount;
  readonly onChange: (account: OperatedAccount) => void;
}

function Account({ account, onChange }: AccountProps) {
  const { id, email, is_active: isActive, is_operator: isOperator } = account;
  const [isAsking, setIsAsking] = useState(false);
  const change = useMutation({
    mutationFn: () => call(setAccountActive, { params: { id }, body: { is_active: !isActive } }),
    onSuccess: ({ account: changed }) => {
      showToast(changed.is_active ? `${email} was enabled` : `${email} was disabled`);
      setIsAsking(false);
      onChange(changed);
    },
  });
  return (
    <div className="border-line border-t px-4 py-3">
      <p className="flex min-w-0 flex-wrap items-center gap-2">
        <span className="truncate font-medium" title={email}>
          {email}
        </span>
        <Badge tone={isActive ? "ok" : "neutral"}>{isActive ? "Active" : "Disabled"}</Badge>
        {account.has_second_factor && <Badge>Second factor</Badge>}
        {isOperator && <Badge>Operator</Badge>}
      </p>
      <p className="mt-1 text-label text-muted">
        Last sign-in {account.last_login_at ? <RelativeTime at={account.last_login_at} /> : "never"}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {!isOperator &&
          (isActive ? (
            <Button size="sm" variant="danger" onClick={() => setIsAsking(true)}>
              Disable
            </Button>
          ) : (
            <Button size="sm" disabled={change.isPending} onClick={() => change.mutate()}>
              Enable
            </Button>
          ))}
        {!isOperator && isActive && <HandOver account={account} />}
      </div>
      <Failure error={isAsking ? null : change.error} text="Failed to change the account" />
      {isActive && <LockedOut account={account} onChange={onChange} />}
      {isAsking && (
        <ConfirmDialog
          title={`Disable ${email}?`}
          description="Its sessions end immediately, and sign-in is blocked until you enable it again. Its API keys keep working until an admin of the organization revokes them."
          action="Disable"
          failure="Failed to disable the account"
          send={() => change.mutateAsync()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}

/** Both open somebody else's account, so the operator enters their password again. */
function LockedOut({ account, onChange }: AccountProps) {
  const { id, email } = account;
  const [password, setPassword] = useState("");
  const link = useMutation({
    mutationFn: () => call(createResetLink, { params: { id }, body: { password } }),
    onSuccess: () => setPassword(""),
  });
  const removal = useMutation({
    mutationFn: () => call(removeSecondFactors, { params: { id }, body: { password } }),
    onSuccess: ({ account: changed }) => {
      showToast(`The second factors of ${email} were removed`);
      setPassword("");
      onChange(changed);
    },
  });
  const isReady = password !== "" && !link.isPending && !removal.isPending;
  const create = (event: FormEvent) => {
    event.preventDefault();
    removal.reset();
    link.mutate();
  };
  return (
    <>
      <ResetAdvice hasSecondFactor={account.has_second_factor} />
      <form onSubmit={create} className="mt-2 flex flex-wrap items-end gap-2">
        <Field
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" disabled={!isReady}>
          Create Reset Link
        </Button>
        {account.has_second_factor && (
          <Button
            variant="danger"
            disabled={!isReady}
            onClick={() => {
              link.reset();
              removal.mutate();
            }}
          >
            Remove Second Factors
          </Button>
        )}
      </form>
      <Failure error={link.error} text="Failed to create the link" />
      <Failure error={removal.error} text="Failed to remove the second factors" />
      {link.data && <ResetLink {...link.data} />}
    </>
  );
}

function Failure({ error, text }: { readonly error: Error | null; readonly text: string }) {
  if (error === null) return null;
  return (
    <p role="alert" className="mt-2 text-critical-text">
      {serverText(error, text)}
    </p>
  );
}

function ResetAdvice({ hasSecondFactor }: { readonly hasSecondFactor: boolean }) {
  return (
    <p className="mt-4 text-label text-muted">
      A reset link replaces a forgotten password.
      {hasSecondFactor &&
        " Remove second factors if the authenticator app, passkeys and recovery codes are lost: all sessions end, and the password alone signs in."}{" "}
      Verify that the owner of the address asked for it, and confirm with your password.
    </p>
  );
}

function ResetLink({ url, expires_at }: ReplyOf<typeof createResetLink>) {
  return (
    <div className="mt-3 rounded-control border border-line px-3 py-2">
      <p className="break-all font-mono text-code">{url}</p>
      <p className="mt-1 text-label text-muted">
        Single use, expires {exactTime(expires_at)}. Give it only to the owner of the address.
      </p>
      <CopyButton text={url} label="Copy the link" hasText />
    </div>
  );
}

/** Hands the role of the operator to another account, after a question. */
function HandOver({ account: { id, email } }: { readonly account: OperatedAccount }) {
  const [isAsking, setIsAsking] = useState(false);
  const [password, setPassword] = useState("");
  function close() {
    setIsAsking(false);
    setPassword("");
  }
  return (
    <>
      <Button size="sm" variant="danger" onClick={() => setIsAsking(true)}>
        Make Operator
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Make ${email} the operator?`}
          description="A server has one operator: you lose access to this page, and only the new operator can return the role."
          action="Make Operator"
          isReady={password !== ""}
          failure="Failed to transfer the role"
          send={() => call(transferOperatorRole, { params: { id }, body: { password } })}
          onSent={() => {
            showToast(`${email} is the operator now`);
            noteOperatorRoleLost();
          }}
          onClose={close}
        >
          <Field
            label="Your password"
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </ConfirmDialog>
      )}
    </>
  );
}
