import { ListFilter } from "lucide-react";
import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from "react";
import { importOnce } from "#api/import-page.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuSeparator } from "#ui/controls/menu.tsx";
import { showToast } from "#ui/overlays/toast.ts";

/** The code of transforms, which is loaded when the first one is used or a menu that offers them is opened. */
export const loadTransforms = importOnce(async () => (await import("./parts.ts")).parts);

type Parts = Awaited<ReturnType<typeof loadTransforms>>;

/** A component of the code, shown once that is loaded. */
function loaded<Props extends object>(
  of: (parts: Parts) => ComponentType<Props>,
  meanwhile: ReactNode = null,
) {
  const Component = lazy(async () => ({ default: of(await loadTransforms()) as ComponentType<object> }));
  return (props: Props) => (
    <Suspense fallback={meanwhile}>
      <Component {...props} />
    </Suspense>
  );
}

export const TransformBar = loaded((parts) => parts.TransformBar, <div className="h-10" />);
export const FrameItems = loaded((parts) => parts.FrameItems);
const ToolbarItems = loaded((parts) => parts.ToolbarItems);

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
