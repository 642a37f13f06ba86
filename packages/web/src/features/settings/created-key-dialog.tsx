import { Eye, EyeOff, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";

export interface CreatedKey {
  readonly name: string;
  readonly key: string;
}

interface CreatedKeyDialogProps {
  readonly created: CreatedKey;
  readonly onClose: () => void;
}

export function CreatedKeyDialog({ created, onClose }: CreatedKeyDialogProps) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Dialog
      isOpen
      isDismissible={false}
      onOpenChange={(open) => !open && onClose()}
      title="API Key Created Successfully"
      description={created.name}
    >
      <div className="flex items-center gap-1 rounded-control border border-line-strong bg-bg py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 break-all font-mono text-code" data-testid="api-key">
          {isShown ? created.key : maskedKey(created.key)}
        </code>
        <Button
          variant="ghost"
          size="sm"
          aria-label={isShown ? "Hide key" : "Show key"}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon aria-hidden className="size-4" strokeWidth={1.75} />
        </Button>
        <CopyButton text={created.key} label="Copy key" />
      </div>
      <p className="mt-4 flex gap-2 rounded-control bg-warning/12 px-3 py-2.5 text-warning-text">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
        <span>
          This is the only time the full key is shown. Keep it where your service reads its secrets, and send
          it in the <code className="whitespace-nowrap font-mono text-code">X-API-Key</code> header.
        </span>
      </p>
      <div className="mt-5 flex justify-end">
        <Button variant="primary" onClick={onClose}>
          I've Copied the Key
        </Button>
      </div>
    </Dialog>
  );
}

const visibleStart = 6;

/** The start of a key, and dots for the other characters. */
export function maskedKey(key: string): string {
  return key.slice(0, visibleStart) + "•".repeat(Math.max(0, key.length - visibleStart));
}
