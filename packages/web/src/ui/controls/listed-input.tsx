import { type ComponentProps, useId, useState } from "react";
import { Input } from "./input.tsx";

interface ListedInputProps extends Omit<ComponentProps<typeof Input>, "list" | "value" | "onChange"> {
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
  /** For options that depend on the text. */
  readonly onType?: ((text: string) => void) | undefined;
}

/** A text that options complete. Applied when an option is chosen, with Enter, or when the field is left. */
export function ListedInput({ value, options, onChange, onType, ...input }: ListedInputProps) {
  const list = useId();
  const [{ of, text }, setTyped] = useState({ of: value, text: value });
  // Another value replaces the text, and the field keeps the focus.
  if (of !== value) setTyped({ of: value, text: value });
  const apply = (next: string) => {
    if (next.trim() !== value) onChange(next.trim());
  };
  return (
    <>
      <Input
        {...input}
        list={list}
        value={text}
        autoComplete="off"
        onChange={(event) => {
          setTyped({ of, text: event.target.value });
          onType?.(event.target.value);
          if (isChosenFromList(event.nativeEvent)) apply(event.target.value);
        }}
        onBlur={() => apply(text)}
        onKeyDown={(event) => {
          if (event.key === "Enter") apply(text);
        }}
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
}

/** Browsers report an option of a datalist as a replacement, or as an input event without a kind; one that is typed may be the start of another. */
function isChosenFromList(event: Event): boolean {
  return !(event instanceof InputEvent) || event.inputType === "insertReplacementText";
}
