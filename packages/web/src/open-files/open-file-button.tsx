import { FolderOpen } from "lucide-react";
import { useRef } from "react";
import { useMayChange } from "#session/session.ts";
import { Button } from "#ui/controls/button.tsx";
import { chooseFiles } from "./chosen-files.ts";

/** Opens profile files of this computer; absent for people who may not add data. */
export function OpenFileButton() {
  const mayChange = useMayChange();
  const input = useRef<HTMLInputElement>(null);
  if (!mayChange) return null;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="profile-files"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file may be chosen again.
          currentTarget.value = "";
          if (files.length > 0) chooseFiles(files);
        }}
      />
      <Button title="Open profile files of this computer" onClick={() => input.current?.click()}>
        <FolderOpen aria-hidden className="size-4" strokeWidth={1.75} />
        Open a file
      </Button>
    </>
  );
}
