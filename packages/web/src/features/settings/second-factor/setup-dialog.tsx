import { confirmTotp, type ReplyOf, type startTotp } from "@flamekeep/contract";
import { call } from "#api/call.ts";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { QrCode } from "./qr-code.tsx";

interface SetupDialogProps {
  readonly started: ReplyOf<typeof startTotp>;
  /** null: the account has recovery codes already. */
  readonly onConfirmed: (recoveryCodes: readonly string[] | null) => unknown;
  readonly onClose: () => void;
}

/** The secret for the app, as QR code and as text, and the first code that proves that the app has it. */
export function SetupDialog({ started, onConfirmed, onClose }: SetupDialogProps) {
  const form = useForm({
    initial: () => ({ code: "" }),
    check: ({ code }) => (code.trim() === "" ? [{ field: "code", text: "Enter the code" }] : []),
    send: ({ code }) => call(confirmTotp, { body: { code: code.trim() } }),
    onSent: ({ recovery_codes }) => onConfirmed(recovery_codes),
  });
  return (
    <FormDialog
      form={form}
      title="Set up an authenticator app"
      description="Scan the code with the app, or type the key, then enter the six digits that the app shows."
      lead={<Secret {...started} />}
      action="Turn on"
      pending="Checking..."
      failure="The code could not be checked. Please try again."
      onClose={onClose}
    >
      <Field label="Code" autoComplete="one-time-code" inputMode="numeric" {...form.field("code")} />
    </FormDialog>
  );
}

function Secret({ uri, secret }: ReplyOf<typeof startTotp>) {
  return (
    <div className="mb-4 flex flex-col gap-4">
      <div className="self-center">
        <QrCode text={uri} label="QR code of the key" />
      </div>
      <div className="flex items-center gap-1 rounded-control border border-line-strong bg-bg py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 break-all font-mono text-code" data-testid="totp-secret">
          {secret}
        </code>
        <CopyButton text={secret} label="Copy key" />
      </div>
    </div>
  );
}
