import { confirmTotp, type ReplyOf, type startTotp } from "@flamekeep/contract";
import { generate } from "lean-qr";
import { call } from "#api/call.ts";
import { saveFile } from "#api/save-file.ts";
import { SecretLine } from "#ui/content/code-block.tsx";
import { Warning } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { type Closable, Dialog } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";

interface SetupDialogProps extends Closable {
  readonly started: ReplyOf<typeof startTotp>;
  /** null: the account has recovery codes already. */
  readonly onConfirmed: (recoveryCodes: readonly string[] | null) => unknown;
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
      <SecretLine text={secret} testId="totp-secret" copyLabel="Copy key" />
    </div>
  );
}

/** The empty margin that readers need, in modules (ISO 18004 asks for four). */
const margin = 4;

/** A QR code as one path of an inline SVG, black on white in both themes: many readers do not read inverted codes. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = generate(text);
  const size = code.size + 2 * margin;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-margin} ${-margin} ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-control"
    >
      {/* Not a class: the theme has no white. */}
      <rect x={-margin} y={-margin} width={size} height={size} fill="white" />
      <path d={pathOf(code)} fill="black" />
    </svg>
  );
}

/** A horizontal bar for each run of dark modules. */
export function pathOf(code: { readonly size: number; get(x: number, y: number): boolean }): string {
  let path = "";
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y)) continue;
      const start = x;
      while (code.get(x + 1, y)) x++;
      path += `M${start} ${y}h${x - start + 1}v1H${start}z`;
    }
  }
  return path;
}

export function RecoveryCodesDialog({ codes, onClose }: Closable & { readonly codes: readonly string[] }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <Dialog
      isDismissible={false}
      onClose={onClose}
      title="Recovery codes"
      description="Each works once in place of your app or passkey."
    >
      <ul className="grid gap-x-6 gap-y-1 rounded-control border border-line-strong bg-bg p-3 font-mono text-code">
        {codes.map((code) => (
          <li key={code} data-testid="recovery-code">
            {code}
          </li>
        ))}
      </ul>
      <Warning className="mt-4">
        This is the only time the codes are shown. Without them, a lost phone locks you out.
      </Warning>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <CopyButton text={text} label="Copy codes" hasText variant="secondary" size="md" />
        <Button onClick={() => saveFile("flamekeep-recovery-codes.txt", new Blob([text]))}>
          Download codes
        </Button>
        <Button variant="primary" onClick={onClose}>
          I've Saved the Codes
        </Button>
      </div>
    </Dialog>
  );
}
