// Statements of accounts in the language of the customer.
import Router from "@koa/router";
import Koa from "koa";

const bookings = Array.from({ length: 1500 }, (_, n) => ({ day: 1_760_000_000_000 + n * 86_400_000, amount: ((n * 7907) % 90_000) / 100 - 300 }));

function line({ day, amount }, locale) {
  const when = new Date(day).toLocaleDateString(locale, { weekday: "short", day: "2-digit", month: "short" });
  return `${when} ${amount.toLocaleString(locale, { style: "currency", currency: "EUR" })}`;
}

function balances(rows) {
  let balance = 0;
  return rows.map(({ amount }) => (balance += amount));
}

const router = new Router();
router.get("/statements/:number", (ctx) => {
  const number = Number(ctx.params.number);
  const rows = bookings.slice((number * 13) % 1400, ((number * 13) % 1400) + 30);
  const locale = ["de-DE", "fr-FR", "en-GB"][number % 3];
  ctx.body = { lines: rows.map((row) => line(row, locale)), balances: balances(rows) };
});
new Koa().use(router.routes()).listen(Number(process.env.PORT), "127.0.0.1");
