// Invoices with amounts in the style of the customer's country.
import Router from "@koa/router";
import Koa from "koa";

const locales = ["de-DE", "fr-FR", "en-GB", "it-IT"];

function money(amount, locale) {
  return new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(amount);
}

function linesOf(number) {
  return Array.from({ length: 50 }, (_, i) => ({ title: `item ${i}`, count: 1 + ((number + i) % 4), price: 3.2 * i }));
}

function invoice(number) {
  const locale = locales[number % 4];
  const lines = linesOf(number);
  const rows = lines.map(({ title, count, price }) => `<tr><td>${title}<td>${money(price, locale)}<td>${money(price * count, locale)}`);
  const total = lines.reduce((sum, { count, price }) => sum + count * price, 0);
  return `<table>${rows.join("\n")}</table><p>${money(total, locale)}</p>`;
}

const router = new Router();
router.get("/invoices/:number", (ctx) => {
  ctx.type = "html";
  ctx.body = invoice(Number(ctx.params.number));
});
new Koa().use(router.routes()).listen(Number(process.env.PORT), "127.0.0.1");
