// Forecasts of demand, in typed arrays.
import Router from "@koa/router";
import Koa from "koa";

const history = Array.from({ length: 60 }, (_, s) =>
  Float64Array.from({ length: 20_000 }, (_one, i) => Math.sin((i / 24) * 2 * Math.PI) * 10 + ((i * 31 + s) % 40)),
);
const kernel = Float64Array.from({ length: 48 }, (_, i) => Math.exp(-i / 12));

function smooth(series) {
  const level = new Float64Array(series.length - kernel.length);
  for (let i = 0; i < level.length; i++) {
    let sum = 0;
    for (let k = 0; k < kernel.length; k++) sum += series[i + k] * kernel[k];
    level[i] = sum;
  }
  return level;
}

function byHour(series) {
  const sums = new Float64Array(24);
  for (let i = 0; i < series.length; i++) sums[i % 24] += series[i];
  return sums.map((sum) => (sum / series.length) * 24);
}

const router = new Router();
router.get("/forecasts/:number", (ctx) => {
  const series = history[Number(ctx.params.number) % 60];
  const level = smooth(series);
  ctx.body = { level: level.at(-1), hours: [...byHour(series)] };
});
new Koa().use(router.routes()).listen(Number(process.env.PORT), "127.0.0.1");
