import type { CallTree } from "@flamekeep/flame";
import { transformed } from "./apply.ts";
import { buffersIn, type Columns, type Reply, type Request } from "./worker-messages.ts";

/** The used part of a worker's global scope, whose postMessage differs from the page's. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(reply: Reply, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;

let source: CallTree | undefined;

scope.onmessage = ({ data }) => {
  if (data.do === "load") {
    source = data.source;
    return;
  }
  try {
    if (source === undefined) throw new Error("There is no graph to transform.");
    const { shown, callers } = transformed(source, data.text);
    const reply = {
      ok: true,
      text: data.text,
      shown: columnsOf(shown),
      callers: callers && columnsOf(callers),
    } as const;
    // Columns that a transform left alone belong to the source, which the next one needs.
    const kept = buffersIn(source);
    const moved = [...buffersIn(reply)].filter((buffer) => !kept.has(buffer));
    scope.postMessage(reply, moved);
  } catch (error) {
    scope.postMessage({ ok: false, message: error instanceof Error ? error.message : String(error) }, []);
  }
};

function columnsOf({ functions: _, ...columns }: CallTree): Columns {
  return columns;
}
