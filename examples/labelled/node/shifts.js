// Shifts of a hospital in the time zone of each ward.
import Router from "@koa/router";
import Koa from "koa";
import { DateTime } from "luxon";

const wards = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney"];
const staff = Array.from({ length: 80 }, (_, n) => ({ name: `nurse ${n}`, ward: wards[n % 4], from: 1_760_000_000_000 + n * 3_600_000 }));

function beginning({ from, ward }) {
  return DateTime.fromMillis(from, { zone: ward }).startOf("hour").toFormat("ccc dd LLL HH:mm");
}

function hoursByWard(shifts) {
  const hours = {};
  for (const { ward, from } of shifts) hours[ward] = (hours[ward] ?? 0) + (from % 9);
  return hours;
}

const router = new Router();
router.get("/shifts/:number", (ctx) => {
  const shifts = staff.map((one) => ({ ...one, from: one.from + Number(ctx.params.number) * 3_600_000 }));
  ctx.body = { begins: shifts.map(beginning), hours: hoursByWard(shifts) };
});
new Koa().use(router.routes()).listen(Number(process.env.PORT), "127.0.0.1");
