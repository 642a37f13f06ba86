/** An amount of money, such as `€12.30`. Very small amounts are `less than €0.01`, so that they are not shown as nothing. */
export function costText(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  const smallest = 10 ** -(format.resolvedOptions().maximumFractionDigits ?? 2);
  return amount > 0 && amount < smallest ? `less than ${format.format(smallest)}` : format.format(amount);
}
