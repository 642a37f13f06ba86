import { Share2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { importPage } from "#api/import-page.ts";
import { Button } from "#ui/controls/button.tsx";
import { copyAndReport } from "#ui/overlays/copy-and-report.ts";
import type { Shared } from "./shared.ts";

const ShareDialog = lazy(async () => ({
  default: (await importPage(() => import("./share-dialog.tsx"))).ShareDialog,
}));

interface ShareButtonProps {
  readonly label: string;
  /** The report that the address was copied. */
  readonly copied: string;
  /** Undefined if there is no graph to share. */
  readonly shared: () => Shared | undefined;
  readonly className?: string;
}

/** Copies the address of the page for colleagues, and offers a public link. */
export function ShareButton({ label, copied, shared, className }: ShareButtonProps) {
  const [opened, setOpened] = useState<{ readonly shared: Shared | undefined }>();

  function share() {
    void copyAndReport(window.location.href, copied);
    setOpened({ shared: shared() });
  }

  return (
    <>
      <Button {...(className !== undefined && { className })} onClick={share}>
        <Share2 aria-hidden className="size-4" strokeWidth={1.75} />
        <span className="max-sm:sr-only">{label}</span>
      </Button>
      {opened && (
        <Suspense>
          <ShareDialog shared={opened.shared} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  );
}
