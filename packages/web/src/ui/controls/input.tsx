import { Input as BaseInput } from "@base-ui/react/input";
import { Search, X } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "#ui/cx.ts";

export const controlClass = cx(
  "h-9 w-full max-md:min-h-10 rounded-control border border-line-strong bg-surface px-3 text-body text-text",
  "placeholder:text-muted transition-colors duration-150 hover:border-muted",
  "focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent",
  "data-[invalid]:border-critical disabled:opacity-60",
);

type InputProps = Omit<ComponentProps<typeof BaseInput>, "className"> & { readonly className?: string };

export function Input({ className, ...rest }: InputProps) {
  return <BaseInput className={cx(controlClass, className)} {...rest} />;
}

interface SearchInputProps {
  readonly value: string;
  readonly label: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
}

export function SearchInput({ value, label, placeholder, onChange }: SearchInputProps) {
  return (
    <div className="relative min-w-0 flex-1 max-sm:basis-full">
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-muted"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cx(controlClass, "pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden")}
      />
      {value !== "" && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => onChange("")}
          className="absolute inset-y-0 right-1.5 my-auto grid size-6 place-items-center rounded-badge text-muted hover:bg-surface-2 hover:text-text max-md:right-0 max-md:size-10"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </div>
  );
}
