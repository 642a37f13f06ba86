/** An access token that ends so many seconds from now; `name` makes it different from others. */
export function tokenEndingIn(seconds: number, name = "token"): string {
  const claims = { sub: name, exp: Math.floor(Date.now() / 1000) + seconds };
  return `header.${btoa(JSON.stringify(claims))}.signature`;
}
