import { confirmTotp, type ReplyOf, type startTotp } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import { QrCode } from "./qr-code.tsx";

interface SetupDialogProps {
  readonly started: ReplyOf<typeof startTotp>;
  /** null: the account has recovery codes already. */
  readonly onConfirmed: (recoveryCodes: readonly string[] | null) => unknown;
  readonly onClose: () => void;
}

/** The secret for the app, as QR code and as text, and the first code that proves that the app has it. */
export function SetupDialog({ started, onConfirmed, onClose }: SetupDialogProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title="Set up an authenticator app"
      description="Scan the code with the app, or type the key, then enter the six digits that the app shows."
    >
      <div className="flex flex-col gap-4">
        <div className="self-center">
          <QrCode text={started.uri} label="QR code of the key" />
        </div>
        <div className="flex items-center gap-1 rounded-control border border-line-strong bg-bg py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 break-all font-mono text-code" data-testid="totp-secret">
            {started.secret}
          </code>
          <CopyButton text={started.secret} label="Copy key" />
        </div>
        <CodeForm onConfirmed={onConfirmed} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function CodeForm({ onConfirmed, onClose }: Omit<SetupDialogProps, "started">) {
  const [code, setCode] = useState("");
  const confirmation = useMutation({
    mutationFn: () => call(confirmTotp, { body: { code: code.trim() } }),
    onSuccess: ({ recovery_codes }) => onConfirmed(recovery_codes),
  });
  const form = useCheckedForm(
    () => (code.trim() === "" ? [{ field: "code", text: "Enter the code" }] : []),
    () => confirmation.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <Field
        label="Code"
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onChange={(event) => setCode(event.target.value)}
        {...form.hintOf("code")}
      />
      <FormProblems
        problems={form.problems}
        failure={
          confirmation.error
            ? serverText(confirmation.error, "The code could not be checked. Please try again.")
            : undefined
        }
      />
      <DialogActions
        label={confirmation.isPending ? "Checking..." : "Turn on"}
        isDisabled={confirmation.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
