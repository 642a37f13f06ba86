import type { DisplayType } from "@flamekeep/contract";
import { SearchX } from "lucide-react";
import { profileTypeLabel } from "#format/profile-type.ts";
import { Button } from "#ui/button.tsx";
import { Message } from "#ui/message.tsx";

interface NoMatchProps {
  readonly q: string;
  readonly type: DisplayType | undefined;
  readonly onClearSearch: () => void;
  readonly onAllTypes?: (() => void) | undefined;
}

/** The range holds profiles, and the search, with the type, leaves none: what is on, and a way to take it off. */
export function NoMatch({ q, type, onClearSearch, onAllTypes }: NoMatchProps) {
  const kind = type === undefined ? "profile" : `${profileTypeLabel(type)} profile`;
  return (
    <div className="border-line border-t">
      <Message
        icon={SearchX}
        title="No profile matches"
        actions={
          <>
            <Button onClick={onClearSearch}>Clear Search</Button>
            {type !== undefined && onAllTypes && <Button onClick={onAllTypes}>Search All Types</Button>}
          </>
        }
      >
        <p>
          No {kind} in this range has “{q}” in its id, service or tags.
        </p>
        {type !== undefined && <p>Profiles of other types are not searched.</p>}
      </Message>
    </div>
  );
}
