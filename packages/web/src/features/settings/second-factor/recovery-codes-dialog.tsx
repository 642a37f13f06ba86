import { TriangleAlert } from "lucide-react";
import { saveFile } from "#api/save-file.ts";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const text = `${codes.join("\n")}\n`;
  return (
    <Dialog
      isOpen
      isDismissible={false}
      onOpenChange={(open) => !open && onClose()}
      title="Recovery codes"
      description="Each signs you in once without your app or passkey."
    >
      <ul className="grid gap-x-6 gap-y-1 rounded-control border border-line-strong bg-bg p-3 font-mono text-code">
        {codes.map((code) => (
          <li key={code} data-testid="recovery-code">
            {code}
          </li>
        ))}
      </ul>
      <p className="mt-4 flex gap-2 rounded-control bg-warning/12 px-3 py-2.5 text-warning-text">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
        <span>This is the only time the codes are shown. Without them, a lost phone locks you out.</span>
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <CopyButton text={text} label="Copy" hasText variant="secondary" size="md" />
        <Button onClick={() => saveFile("flamekeep-recovery-codes.txt", new Blob([text]))}>Download</Button>
        <Button variant="primary" onClick={onClose}>
          I've Saved the Codes
        </Button>
      </div>
    </Dialog>
  );
}
