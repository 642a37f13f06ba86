import "./url/base-path.ts";
import { RouterProvider } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { usePreload } from "#ui/hooks/first-use.ts";
import { importOnce, lazyPart } from "./api/import-page.ts";
import { queryClient } from "./api/query-client.ts";
import { keyboardOverview, useWasOpened } from "./keyboard/open-state.ts";
import { useShortcuts } from "./keyboard/use-shortcuts.ts";
import { router } from "./routes.tsx";
import { useSession } from "./session/session.ts";
import { endStart, StartingPage } from "./start/starting-page.tsx";
import { onFirstToast } from "./ui/overlays/toast.ts";

const KeyboardOverview = lazyPart(async () => (await import("./keyboard/overview.tsx")).KeyboardOverview);

const routerContext = { queryClient };

/** Routes decide by the session, so they wait for it, and decide again whenever it changes. */
export function App() {
  const { status } = useSession();
  const hasOverview = useWasOpened(keyboardOverview);
  useShortcuts({ overview: keyboardOverview.open });

  useEffect(() => {
    if (status !== "loading") void router.invalidate();
  }, [status]);

  useEffect(() => router.subscribe("onRendered", endStart), []);

  if (status === "loading") return <StartingPage />;
  return (
    <>
      <RouterProvider router={router} context={routerContext} />
      <Suspense>{hasOverview && <KeyboardOverview />}</Suspense>
    </>
  );
}

const loadToasts = importOnce(() => import("./ui/overlays/toast-list.tsx"));

/** The place of toasts in the app. */
export function ToastHost() {
  const [parts, setParts] = useState<Awaited<ReturnType<typeof loadToasts>>>();
  usePreload(loadToasts);
  useEffect(() => onFirstToast(() => void loadToasts().then(setParts, console.warn)), []);
  return parts && <parts.ToastList />;
}
