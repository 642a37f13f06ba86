import { Link } from "@tanstack/react-router";
import { BellOff } from "lucide-react";
import { Breadcrumb } from "#ui/breadcrumb.tsx";
import { buttonClass } from "#ui/button.tsx";
import { Card } from "#ui/card.tsx";
import { Message } from "#ui/message.tsx";

export function AlertsPage() {
  return (
    <>
      <Breadcrumb>
        <Link to="/dashboard">Dashboard</Link>
        <span className="text-text">Alerts</span>
      </Breadcrumb>
      <Card className="mt-4">
        <Message
          icon={BellOff}
          title="No alerts detected"
          actions={
            <Link to="/profiles" className={buttonClass()}>
              Look at the services
            </Link>
          }
        >
          <p>
            This version stores and shows profiles; it does not compare them by itself yet, so nothing is
            watching for regressions.
          </p>
        </Message>
      </Card>
    </>
  );
}
