import type { DisplayType } from "@flamekeep/contract";
import { ChartNoAxesGantt, SearchX } from "lucide-react";
import { profileTypeLabel } from "#format/names.ts";
import { Message } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";

interface NoMatchProps {
  readonly q: string;
  readonly type: DisplayType | undefined;
  readonly onClearSearch: () => void;
  readonly onAllTypes?: (() => void) | undefined;
}

/** Shown if the range has profiles but none matches the search and type. Offers to remove the filters. */
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

/** Shown if a link or a reload leads behind the last profile of the range. */
export function PastLastPage({ onFirst }: { readonly onFirst: () => void }) {
  return (
    <div className="border-line border-t">
      <Message
        icon={ChartNoAxesGantt}
        title="No profiles on this page"
        actions={<Button onClick={onFirst}>First Page</Button>}
      >
        <p>The profiles of this page are now older than the time range.</p>
      </Message>
    </div>
  );
}
