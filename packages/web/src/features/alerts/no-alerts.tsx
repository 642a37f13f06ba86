import { Link } from "@tanstack/react-router";
import { CircleCheck, ListFilter } from "lucide-react";
import { Message } from "#ui/content/message.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";

export function NoAlerts() {
  return (
    <Message
      icon={CircleCheck}
      title="No alerts detected"
      actions={
        <Link to="/profiles" className={buttonClass()}>
          Look at the services
        </Link>
      }
    >
      <p>
        An alert begins when a service uses more than it usually varies, at least 15%, and neither its
        requests nor the time of day explain it. Every service that sends profiles is watched.
      </p>
    </Message>
  );
}

export function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <div className="border-line border-t">
      <Message
        icon={ListFilter}
        title="No alert matches these filters"
        actions={<Button onClick={onClear}>Show all alerts</Button>}
      />
    </div>
  );
}
