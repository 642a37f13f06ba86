import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "#ui/copy-text.ts";
import { Button, type ButtonSize, type ButtonVariant } from "./button.tsx";

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** Shows the label next to the icon; otherwise only screen readers announce it. */
  readonly hasText?: boolean;
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly onCopied?: () => void;
}

type Outcome = "Copied" | "Blocked by the browser";

const confirmationMs = 1600;

export function CopyButton({
  text,
  label,
  hasText = false,
  variant = "ghost",
  size = "sm",
  onCopied,
}: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>();

  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), confirmationMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy() {
    const isCopied = await copyText(text);
    setOutcome(isCopied ? "Copied" : "Blocked by the browser");
    if (isCopied) onCopied?.();
  }

  const Icon = outcome === undefined ? Copy : outcome === "Copied" ? Check : X;
  return (
    <Button variant={variant} size={size} aria-label={outcome ?? label} onClick={() => void copy()}>
      <Icon aria-hidden className="size-3.5" strokeWidth={1.75} />
      {hasText && (outcome ?? label)}
    </Button>
  );
}
