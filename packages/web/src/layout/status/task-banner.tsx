import type { Warning } from "@flamekeep/contract";
import { ChevronDown, TriangleAlert, X } from "lucide-react";
import { useId, useState, useSyncExternalStore } from "react";
import { CodeBlock } from "#ui/content/code-block.tsx";
import { Button } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";

/** Warnings that need an operator: one line that expands to instructions, until dismissed or a new warning arrives. */
export function TaskBanner({ tasks }: { readonly tasks: readonly Warning[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const dismissed = useDismissedTasks();
  const detailsId = useId();
  const undismissed = tasks.filter(({ message }) => !dismissed.includes(message));
  const [first] = undismissed;
  if (first === undefined) return null;
  return (
    <section
      aria-label="Needs an operator"
      className="border-line border-b bg-[color-mix(in_oklab,var(--warning)_12%,var(--surface))] px-4 py-1.5 md:px-6"
    >
      <div className="flex items-center gap-2">
        <TriangleAlert aria-hidden className="size-4 shrink-0 text-warning-text" strokeWidth={1.75} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={detailsId}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-1.5 rounded-control text-left"
        >
          <span className="min-w-0 truncate font-medium">
            {isOpen ? "Needs an operator" : summaryOf(undismissed.length, first.message)}
          </span>
          <span className="shrink-0 text-label text-warning-text">{isOpen ? "Hide" : "What to do"}</span>
          <ChevronDown
            aria-hidden
            className={cx("size-4 shrink-0 text-warning-text", isOpen && "rotate-180")}
            strokeWidth={1.75}
          />
        </button>
        <Button
          variant="ghost"
          size="icon"
          aria-label="Dismiss for this session"
          onClick={() => dismissTasks(undismissed.map(({ message }) => message))}
        >
          <X aria-hidden className="size-4" strokeWidth={1.75} />
        </Button>
      </div>
      <ul id={detailsId} hidden={!isOpen} className="mt-1 mb-2 flex flex-col gap-4 md:pl-6">
        {undismissed.map((task) => (
          <Task key={task.message} task={task} />
        ))}
      </ul>
    </section>
  );
}

function summaryOf(count: number, message: string): string {
  return count > 1 ? `${count} problems: ${message}` : message;
}

function Task({ task: { message, action = "" } }: { readonly task: Warning }) {
  const { before, command, after } = commandOf(action);
  return (
    <li className="flex flex-col gap-2 [overflow-wrap:anywhere]">
      <p>{message}</p>
      {before !== "" && <p>{before}</p>}
      {command !== undefined && <CodeBlock code={command} label="Copy the command" />}
      {after !== "" && <p>{after}</p>}
    </li>
  );
}

interface ActionParts {
  readonly before: string;
  /** A command in the text, without the full stop of the sentence. */
  readonly command: string | undefined;
  readonly after: string;
}

/** Extracts the `npm run` command from the instructions of a warning. */
export function commandOf(action: string): ActionParts {
  const found = /npm run [\w-]+(?: [\w./-]*[\w/-])*(?=[.\s]|$)/.exec(action);
  if (found === null) return { before: action, command: undefined, after: "" };
  const after = action.slice(found.index + found[0].length).replace(/^\.?\s*/, "");
  return { before: action.slice(0, found.index).trim(), command: found[0], after };
}

const key = "flamekeep.dismissed_tasks";
const listeners = new Set<() => void>();
let dismissed: readonly string[] = readDismissed();

function readDismissed(): readonly string[] {
  const stored = sessionStorage.getItem(key);
  return stored === null ? [] : stored.split("\n");
}

/** Messages that were dismissed in this tab. */
function useDismissedTasks(): readonly string[] {
  return useSyncExternalStore(subscribe, () => dismissed);
}

function dismissTasks(messages: readonly string[]): void {
  dismissed = [...new Set([...dismissed, ...messages])];
  sessionStorage.setItem(key, dismissed.join("\n"));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
