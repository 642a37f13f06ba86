/** Columns by which the list can be sorted, each first in the order that asks for a look. */
export const alertSorts = ["increase", "severity", "service", "type", "since"] as const;
export type AlertSort = (typeof alertSorts)[number];
