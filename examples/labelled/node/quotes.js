// Quotes for freight.
import express from "express";

const rules = Array.from({ length: 400 }, (_, n) => ({ zone: `z${n}`, rate: 1 + n / 80 }));
const app = express();

function rateFor(code) {
  for (const { zone, rate } of rules) if (new RegExp(`^${zone}-(\\d+)[a-z]*$`, "i").test(code)) return rate;
  return 1;
}

app.get("/quotes/:number", (request, response) => {
  const number = Number(request.params.number);
  const lines = Array.from({ length: 8 }, (_, i) => `Z${(number * 7 + i) % 500}-${i}a`);
  response.json({ number, price: lines.reduce((sum, line) => sum + rateFor(line), 0), lines });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
