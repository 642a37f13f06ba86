import type { ComponentProps } from "react";
import { cx } from "#ui/cx.ts";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "tiny" | "sm" | "md" | "lg" | "icon";

const variants: Record<ButtonVariant, string> = {
  primary:
    "bg-accent-solid text-accent-ink font-medium hover:brightness-107 active:brightness-95 border-transparent",
  secondary: "bg-surface text-text border-line-strong hover:bg-surface-2 active:bg-line",
  ghost: "bg-transparent text-muted border-transparent hover:bg-surface-2 hover:text-text",
  danger: "bg-surface text-critical-text border-line-strong hover:bg-critical/10",
};

const sizes: Record<ButtonSize, string> = {
  /** An icon in a line of text; rows around it are tall enough to touch. */
  tiny: "size-5! min-h-0! min-w-0! rounded-badge! p-0",
  sm: "h-7 px-2.5 gap-1.5 text-label",
  md: "h-9 px-3.5 gap-2 text-body",
  lg: "h-11 px-5 gap-2 text-body",
  icon: "size-9 justify-center",
};

/** Classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = "secondary", size: ButtonSize = "md"): string {
  return cx(
    "inline-flex shrink-0 items-center justify-center rounded-control border whitespace-nowrap select-none",
    touchTarget,
    "transition-[background-color,color,filter] duration-150 ease-out disabled:opacity-55 disabled:pointer-events-none",
    variants[variant],
    sizes[size],
  );
}

interface ButtonProps extends ComponentProps<"button"> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
}

export function Button({ variant, size, className, type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={cx(buttonClass(variant, size), className)} {...rest} />;
}

/** Controls are at least 40 px large on phones and smaller on desktops. */
export const touchTarget = "max-md:min-h-10 max-md:min-w-10";
