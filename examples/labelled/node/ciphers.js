// Splits the fields of telegrams.
import Router from "@koa/router";
import Koa from "koa";

const telegrams = Array.from({ length: 25 }, (_, n) => Array.from({ length: 400 }, (_one, i) => `f${i}=${(n * i) % 997}`).join("|"));

function fieldsOf(telegram) {
  const fields = {};
  let rest = Array.from(telegram);
  while (rest.length > 0) {
    const end = rest.indexOf("|") < 0 ? rest.length : rest.indexOf("|");
    const [name, value] = rest.slice(0, end).join("").split("=");
    fields[name] = Number(value);
    rest = rest.slice(end + 1);
  }
  return fields;
}

function checksum(fields) {
  let sum = 0;
  for (const value of Object.values(fields)) sum = (sum * 31 + value) % 65_521;
  return sum;
}

const router = new Router();
router.get("/telegrams/:number", (ctx) => {
  const fields = fieldsOf(telegrams[Number(ctx.params.number) % 25]);
  ctx.body = { checksum: checksum(fields), count: Object.keys(fields).length };
});
new Koa().use(router.routes()).listen(Number(process.env.PORT), "127.0.0.1");
