import { limits, type Recommendation } from "@flamekeep/contract";
import { type FormEvent, useState } from "react";
import { useMayChange } from "#session/session.ts";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import type { GivenFeedback } from "./use-analysis.ts";

type FeedbackInput = Pick<GivenFeedback, "state" | "reason">;

interface FeedbackActionsProps {
  readonly feedback: Recommendation["feedback"];
  readonly onFeedback: (given: FeedbackInput) => void;
}

/** Buttons that mark a recommendation as done, dismiss it or undo that. People who may only read get none. */
export function FeedbackActions({ feedback, onFeedback }: FeedbackActionsProps) {
  const mayChange = useMayChange();
  const [isDismissing, setIsDismissing] = useState(false);
  if (feedback !== null)
    return <FeedbackState feedback={feedback} mayChange={mayChange} onFeedback={onFeedback} />;
  if (!mayChange) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" onClick={() => onFeedback({ state: "done" })}>
        Mark as Done
      </Button>
      <Button size="sm" variant="ghost" onClick={() => setIsDismissing(true)}>
        Dismiss
      </Button>
      {isDismissing && (
        <DismissDialog
          onDismiss={(reason) => {
            setIsDismissing(false);
            onFeedback({ state: "dismissed", reason });
          }}
          onClose={() => setIsDismissing(false)}
        />
      )}
    </div>
  );
}

interface FeedbackStateProps extends FeedbackActionsProps {
  readonly feedback: NonNullable<Recommendation["feedback"]>;
  readonly mayChange: boolean;
}

function FeedbackState({ feedback, mayChange, onFeedback }: FeedbackStateProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-label text-muted">
      <span className="[overflow-wrap:anywhere]">
        {feedback.state === "done" ? "Done" : "Dismissed"} <RelativeTime at={feedback.at} />
        {feedback.reason && `: ${feedback.reason}`}
      </span>
      {mayChange && (
        <Button size="sm" variant="ghost" onClick={() => onFeedback({ state: "open" })}>
          {feedback.state === "done" ? "Not done" : "Restore"}
        </Button>
      )}
    </div>
  );
}

interface DismissDialogProps {
  readonly onDismiss: (reason: string) => void;
  readonly onClose: () => void;
}

function DismissDialog({ onDismiss, onClose }: DismissDialogProps) {
  const [reason, setReason] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    if (reason.trim() !== "") onDismiss(reason.trim());
  }
  return (
    <Dialog
      onClose={onClose}
      title="Dismiss this recommendation"
      description="The same advice about this function does not come back for this service."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Reason"
          name="reason"
          required
          maxLength={limits.feedbackReasonLengthMax}
          placeholder="Runs once a day"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={reason.trim() === ""}>
            Dismiss
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
