import { ListFilter } from "lucide-react";
import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { importOnce } from "#api/import-page.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuSeparator } from "#ui/controls/menu.tsx";
import { showToast } from "#ui/overlays/toast.ts";

/** The code of transforms, which is loaded when the first one is used or a menu that offers them is opened. */
export const loadTransforms = importOnce(async () => (await import("./parts.ts")).parts);

type Parts = Awaited<ReturnType<typeof loadTransforms>>;

const Bar = lazy(async () => ({ default: (await loadTransforms()).TransformBar }));
const Toolbar = lazy(async () => ({ default: (await loadTransforms()).ToolbarItems }));
const Frame = lazy(async () => ({ default: (await loadTransforms()).FrameItems }));

export function TransformBar(props: ComponentProps<typeof Bar>) {
  return (
    <Suspense fallback={<div className="h-10" />}>
      <Bar {...props} />
    </Suspense>
  );
}

function ToolbarItems(props: ComponentProps<typeof Toolbar>) {
  return (
    <Suspense fallback={null}>
      <Toolbar {...props} />
    </Suspense>
  );
}

export function FrameItems(props: ComponentProps<typeof Frame>) {
  return (
    <Suspense fallback={null}>
      <Frame {...props} />
    </Suspense>
  );
}

/** The code, loaded if it is needed; undefined until then. */
export function useTransformParts(isNeeded: boolean): Parts | undefined {
  const [parts, setParts] = useState<Parts>();
  useEffect(() => {
    if (!isNeeded || parts !== undefined) return;
    let isCurrent = true;
    loadTransforms().then(
      (loaded) => isCurrent && setParts(loaded),
      (error: Error) => showToast(error.message, "critical"),
    );
    return () => {
      isCurrent = false;
    };
  }, [isNeeded, parts]);
  return parts;
}

/** The steps for a whole graph, in a toolbar. */
export function TransformMenu({
  children,
  ...props
}: ComponentProps<typeof ToolbarItems> & { readonly children?: ReactNode }) {
  return (
    <Menu
      trigger={
        <Button variant="secondary" size="sm" className="h-8">
          <ListFilter aria-hidden className="size-4" strokeWidth={1.75} />
          <span className="max-sm:sr-only">Transform</span>
        </Button>
      }
    >
      {children}
      {children !== undefined && <MenuSeparator />}
      <ToolbarItems {...props} />
    </Menu>
  );
}
