import type { ServerStatus } from "@flamekeep/contract";
import { CircleAlert, CircleCheck } from "lucide-react";
import { capitalized } from "#format/names.ts";

/** Each part of the server, and what the operator has to do. */
export function ServerHealth({
  status: { message, checks, warnings, notices },
}: {
  readonly status: ServerStatus;
}) {
  return (
    <div className="border-line border-t px-4 py-3">
      <p className="font-medium [overflow-wrap:anywhere]">{message}</p>
      <ul className="mt-2 flex flex-col gap-1.5">
        {checks.map(({ name, ok, message: text = "" }) => {
          const Icon = ok ? CircleCheck : CircleAlert;
          return (
            <li key={name} className="flex items-start gap-2">
              <Icon
                aria-label={ok ? "Works" : "Fails"}
                className={`mt-0.5 size-4 shrink-0 ${ok ? "text-ok-text" : "text-critical-text"}`}
                strokeWidth={1.75}
              />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {capitalized(name)} {text}
              </span>
            </li>
          );
        })}
      </ul>
      {warnings.map(({ name, message: text, action }) => (
        <div
          key={`${name} ${text}`}
          className="mt-3 rounded-control bg-warning/12 px-3 py-2 text-warning-text"
        >
          <p className="font-medium">{name}</p>
          <p className="[overflow-wrap:anywhere]">{text}</p>
          {action && <p className="mt-1 [overflow-wrap:anywhere]">{action}</p>}
        </div>
      ))}
      {notices.map(({ name, message: text, action }) => (
        <div key={name} className="mt-3 rounded-control border border-line px-3 py-2">
          <p className="font-medium">{capitalized(name)}</p>
          <p className="[overflow-wrap:anywhere]">{text}</p>
          {action && <p className="mt-1 text-muted [overflow-wrap:anywhere]">{action}</p>}
        </div>
      ))}
    </div>
  );
}
