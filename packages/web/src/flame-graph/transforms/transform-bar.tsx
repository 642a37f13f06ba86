import { chainOf, chainText, withoutTransform } from "@flamekeep/flame/transform";
import { Undo2, X } from "lucide-react";
import { useRef } from "react";
import { Button } from "#ui/controls/button.tsx";
import { transformLabel } from "./labels.ts";

export interface TransformBarProps {
  /** The chain as text. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** The part of the total that is left, in words. */
  readonly summary: string;
  /** The part that the chain cannot look into, in words; empty if there is none. */
  readonly notice: string;
}

/** The chain of transforms: each step can be removed, the last one undone. */
export function TransformBar({ text, onChange, summary, notice }: TransformBarProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const chain = chainOf(text);
  const remove = (at: number) => {
    // The button that is pressed goes away with its step.
    group.current?.focus({ preventScroll: true });
    onChange(chainText(withoutTransform(chain, at)));
  };
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      aria-label="Transforms"
      className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-1.5 text-label"
    >
      <ol className="contents" aria-label="Steps">
        {chain.map((transform, at) => {
          const full = transformLabel(transform, true);
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the chain
              key={at}
              title={full}
              className="flex h-7 min-w-0 max-w-full items-center gap-1 rounded-badge bg-accent/12 pl-2 font-medium text-accent-text max-md:h-10"
            >
              <span className="truncate">{transformLabel(transform)}</span>
              <button
                type="button"
                aria-label={`Remove: ${full}`}
                onClick={() => remove(at)}
                className="grid size-7 shrink-0 place-items-center rounded-badge hover:bg-accent/15 max-md:size-10"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          );
        })}
      </ol>
      <span className="flex gap-1">
        <Button variant="ghost" size="sm" onClick={() => remove(chain.length - 1)}>
          <Undo2 aria-hidden className="size-4" strokeWidth={1.75} />
          Undo
        </Button>
        {chain.length > 1 && (
          <Button
            variant="ghost"
            size="sm"
            onClick={() => {
              group.current?.focus({ preventScroll: true });
              onChange("");
            }}
          >
            Remove all
          </Button>
        )}
      </span>
      <p className="min-w-0 flex-1 basis-60 text-muted">
        {summary}
        {notice !== "" && <span className="text-warning-text"> {notice}</span>}
      </p>
    </fieldset>
  );
}
