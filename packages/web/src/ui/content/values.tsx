import type { Measure } from "#format/measure.ts";
import { shortFunctionName } from "#format/names.ts";
import { exactTime, relativeTime } from "#format/time.ts";
import { useNow } from "#ui/hooks/use-now.ts";
import { showToast } from "#ui/overlays/toast.tsx";

/** The end of a function's name; the whole on hover and, by click, in the clipboard. */
export function FunctionName({ name }: { readonly name: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(name);
      showToast("Function name copied");
    } catch (error) {
      console.warn("The clipboard refused the name.", error);
    }
  }

  return (
    <button
      type="button"
      onClick={() => void copy()}
      title={`${name}\nClick to copy`}
      className="min-w-0 truncate rounded-badge text-left font-mono text-code hover:underline"
    >
      {shortFunctionName(name)}
    </button>
  );
}

/** A number with its unit muted and half a step smaller. */
export function Quantity({ value }: { readonly value: Measure }) {
  return (
    <span data-quantity className="whitespace-nowrap">
      {value.number}
      {value.unit !== "" && <span className="font-normal text-[0.82em] text-muted"> {value.unit}</span>}
    </span>
  );
}

/** Relative, with the exact time on hover. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap">
      {relativeTime(at, now)}
    </time>
  );
}
