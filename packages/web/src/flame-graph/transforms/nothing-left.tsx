import { Flame } from "lucide-react";
import { Message } from "#ui/content/message.tsx";

/** In place of a graph without frames after the transforms. */
export function NothingLeft() {
  return (
    <Message icon={Flame} title="No frames match">
      <p>No frames match these transforms. Undo the last one, or remove another.</p>
    </Message>
  );
}
