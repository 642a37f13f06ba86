interface ShownToast {
  readonly title: string;
  readonly tone: "ok" | "critical";
  readonly onUndo?: () => void;
  /** Aborted when the toast has nothing to say any more. */
  readonly outdated?: AbortSignal;
  /** A later toast on the same topic replaces this one. */
  readonly topic?: string;
}

/** Toasts that are shown as soon as the list is loaded, which the first one asks for. */
const waiting: ShownToast[] = [];
let take: (() => void) | undefined;
let ask: (() => void) | undefined;

function add(toast: ShownToast): void {
  waiting.push(toast);
  if (take === undefined) ask?.();
  else take();
}

export function showToast(title: string, tone: ShownToast["tone"] = "ok", topic?: string): void {
  add({ title, tone, ...(topic !== undefined && { topic }) });
}

/** Reports a change that its button takes back, until `outdated` is aborted. */
export function showUndoToast(title: string, onUndo: () => void, outdated?: AbortSignal): void {
  add({ title, tone: "ok", onUndo, ...(outdated !== undefined && { outdated }) });
}

/** Calls back when a toast waits for the list. */
export function onFirstToast(load: () => void): () => void {
  ask = load;
  if (waiting.length > 0) load();
  return () => {
    ask = undefined;
  };
}

/** Gives all toasts to the list, the waiting ones first. */
export function takeToasts(show: (toast: ShownToast) => void): () => void {
  take = () => {
    for (const toast of waiting.splice(0)) show(toast);
  };
  take();
  return () => {
    take = undefined;
  };
}
