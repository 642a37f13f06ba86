import { Toast as Base } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { buttonClass } from "#ui/controls/button.tsx";
import { takeToasts } from "./toast.ts";

/** Time to decide whether to undo; longer than a toast that only informs stays. */
const undoMs = 10_000;

/** Shows the toasts, from the first one on. */
export function ToastList() {
  const [manager] = useState(() => Base.createToastManager());
  const newest = useRef(new Map<string, string>());
  useEffect(
    () =>
      takeToasts(({ title, tone, onUndo, outdated, topic }) => {
        if (outdated?.aborted) return;
        if (onUndo === undefined) {
          const former = topic === undefined ? undefined : newest.current.get(topic);
          if (former !== undefined) manager.close(former);
          const id = manager.add({ title, type: tone });
          if (topic !== undefined) newest.current.set(topic, id);
          return;
        }
        const id = manager.add({
          title,
          type: tone,
          timeout: undoMs,
          actionProps: {
            children: "Undo",
            onClick() {
              manager.close(id);
              onUndo();
            },
          },
        });
        outdated?.addEventListener("abort", () => manager.close(id));
      }),
    [manager],
  );

  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2">
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Toasts() {
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      className="flex items-center gap-3 rounded-card border border-line bg-surface py-2.5 pr-2.5 pl-3.5 shadow-float transition-[opacity,translate] duration-150 data-[ending-style]:translate-y-2 data-[starting-style]:translate-y-2 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0"
    >
      {toast.type === "critical" ? (
        <CircleAlert aria-hidden className="size-4 shrink-0 text-critical" />
      ) : (
        <CircleCheck aria-hidden className="size-4 shrink-0 text-ok" />
      )}
      <Base.Title className="min-w-0 flex-1 text-body" />
      <Base.Action className={buttonClass("secondary", "sm")} />
      <Base.Close
        aria-label="Close"
        className="grid size-6 place-items-center rounded-badge text-muted hover:bg-surface-2 hover:text-text"
      >
        <X aria-hidden className="size-3.5" />
      </Base.Close>
    </Base.Root>
  ));
}
