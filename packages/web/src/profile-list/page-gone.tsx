import { ChartNoAxesGantt } from "lucide-react";
import { Button } from "#ui/button.tsx";
import { Message } from "#ui/message.tsx";

/** The place of a link or a reload lies behind the last profile of the range. */
export function PageGone({ onFirst }: { readonly onFirst: () => void }) {
  return (
    <div className="border-line border-t">
      <Message
        icon={ChartNoAxesGantt}
        title="No profiles on this page"
        actions={<Button onClick={onFirst}>First Page</Button>}
      >
        <p>Those that stood here are older than the time range by now.</p>
      </Message>
    </div>
  );
}
