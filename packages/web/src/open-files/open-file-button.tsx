import { FolderOpen } from "lucide-react";
import { useMayChange } from "#session/session.ts";
import { Button } from "#ui/controls/button.tsx";
import { pickFiles } from "./chosen-files.ts";

/** Opens profile files of this computer; absent for people who may not add data. */
export function OpenFileButton() {
  const mayChange = useMayChange();
  if (!mayChange) return null;
  return (
    <Button title="Open profile files of this computer" onClick={() => pickFiles()}>
      <FolderOpen aria-hidden className="size-4" strokeWidth={1.75} />
      Open a file
    </Button>
  );
}
