import type { ReactNode } from "react";

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}

export function Step({ number, title, children }: StepProps) {
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3">
      <span className="grid size-6 place-items-center rounded-full bg-surface-2 font-semibold text-label">
        {number}
      </span>
      <div className="min-w-0">
        <h3 className="mb-2.5 font-semibold leading-6">{title}</h3>
        {children}
      </div>
    </li>
  );
}
