/** An access token that ends so many seconds from now; `name` makes it different from others of the same person. */
export function tokenEndingIn(seconds: number, name = "token", person = "ada"): string {
  const claims = { sub: person, jti: name, exp: Math.floor(Date.now() / 1000) + seconds };
  return `header.${btoa(JSON.stringify(claims))}.signature`;
}
