// Books payments to accounts.
import Router from "@koa/router";
import Koa from "koa";
import winston from "winston";

const log = winston.createLogger({
  level: "info",
  format: winston.format.combine(
    winston.format.timestamp(),
    winston.format.errors({ stack: true }),
    winston.format.printf(({ timestamp, level, message, ...rest }) => `${timestamp} ${level} ${message} ${JSON.stringify(rest)}`),
  ),
  transports: [new winston.transports.File({ filename: "/dev/null" })],
});
const accounts = new Map(Array.from({ length: 300 }, (_, n) => [n, { account: n, balance: 0, owner: `owner ${n}` }]));

function book(number, amount) {
  const account = accounts.get(number);
  account.balance += amount;
  log.info("booked a payment", { amount, ...account });
}

function interest() {
  return [...accounts.values()].filter(({ balance }) => balance > 10).reduce((sum, { balance }) => sum + balance * 1e-4, 0);
}

const router = new Router();
router.get("/payments/:number", (ctx) => {
  const number = Number(ctx.params.number);
  for (let i = 0; i < 60; i++) book((number + i * 7) % 300, ((number + i) % 50) / 4);
  ctx.body = { payment: number, interest: interest() };
});
new Koa().use(router.routes()).listen(Number(process.env.PORT), "127.0.0.1");
