import { shortFunctionName } from "#format/function-name.ts";
import { showToast } from "./toast.tsx";

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
