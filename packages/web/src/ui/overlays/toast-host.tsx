import { useEffect, useState } from "react";
import { importOnce } from "#api/import-page.ts";
import { usePreload } from "#ui/hooks/first-use.ts";
import { onFirstToast } from "./toast.ts";

const loadToasts = importOnce(() => import("./toast-list.tsx"));

/** The place of toasts in the app. */
export function ToastHost() {
  const [parts, setParts] = useState<Awaited<ReturnType<typeof loadToasts>>>();
  usePreload(loadToasts);
  useEffect(() => onFirstToast(() => void loadToasts().then(setParts, console.warn)), []);
  return parts && <parts.ToastList />;
}
