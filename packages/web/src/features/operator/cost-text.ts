/** An amount of money, such as `€12.30`; below a cent with two significant digits, so that it is not shown as nothing. */
export function costText(amount: number, currency: string): string {
  const isSmall = amount > 0 && amount < 0.01;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : {};
  return new Intl.NumberFormat("en-US", { style: "currency", currency, ...digits }).format(amount);
}
