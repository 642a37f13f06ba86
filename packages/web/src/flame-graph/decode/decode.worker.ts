import { decodeColumns, type TreeColumns } from "@flamekeep/flame";

export type DecodeReply =
  | { readonly ok: true; readonly columns: TreeColumns }
  | { readonly ok: false; readonly message: string };

/** The used part of a worker's global scope, whose postMessage differs from the page's. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Uint8Array>) => void) | null;
  postMessage(reply: DecodeReply, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => {
  try {
    const columns = decodeColumns(data);
    const { firstChild, fn, levelStart, line, parent, samples, self, total, width, x } = columns;
    const arrays = [firstChild, fn, levelStart, line, parent, samples, self, total, width, x];
    const buffers = new Set(arrays.map((array) => array.buffer as ArrayBuffer));
    scope.postMessage({ ok: true, columns }, [...buffers]);
  } catch (error) {
    scope.postMessage({ ok: false, message: error instanceof Error ? error.message : String(error) }, []);
  }
};
