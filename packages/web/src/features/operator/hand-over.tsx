import { type OperatedAccount, transferOperatorRole } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { noteOperatorRoleLost } from "#session/session.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";

interface HandOverProps {
  readonly account: OperatedAccount;
}

/** Hands the role of the operator to another account, after a question. */
export function HandOver({ account: { id, email } }: HandOverProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [password, setPassword] = useState("");
  const transfer = useMutation({
    mutationFn: () => call(transferOperatorRole, { params: { id }, body: { password } }),
    onSuccess: () => {
      showToast(`${email} is the operator now`);
      noteOperatorRoleLost();
    },
  });
  function close() {
    setIsAsking(false);
    setPassword("");
    transfer.reset();
  }
  return (
    <>
      <Button size="sm" variant="danger" onClick={() => setIsAsking(true)}>
        Make Operator
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Make ${email} the operator?`}
          description="Only one account can be the operator of this server: you lose this page, and only the new operator can give it back."
          action="Make Operator"
          isPending={transfer.isPending}
          isReady={password !== ""}
          failure={transfer.error ? serverText(transfer.error, "Failed to hand the role over") : undefined}
          onConfirm={() => transfer.mutate()}
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
