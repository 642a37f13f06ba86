import { Suspense } from "react";
import { lazyPart } from "#api/import-page.ts";
import type { DialogProps } from "./dialog-popup.tsx";

/** A dialog that is open as long as it is rendered. */
export type Closable = Pick<DialogProps, "onClose">;

const DialogPopup = lazyPart(async () => (await import("./dialog-popup.tsx")).DialogPopup);

/** Its code is loaded when the first dialog opens. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  );
}
