import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
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

const confirmationMs = 1600;

export function CopyButton({
  text,
  label,
  hasText = false,
  variant = "ghost",
  size = "sm",
  onCopied,
}: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
      onCopied?.();
    } catch (error) {
      console.warn("The clipboard refused the text.", error);
    }
  }

  const Icon = isCopied ? Check : Copy;
  return (
    <Button
      variant={variant}
      size={size}
      aria-label={isCopied ? "Copied" : label}
      onClick={() => void copy()}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={1.75} />
      {hasText && (isCopied ? "Copied" : label)}
    </Button>
  );
}
