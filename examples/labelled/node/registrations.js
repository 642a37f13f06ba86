// Registrations of cars: checks what owners typed.
import express from "express";

const typed = Array.from({ length: 40 }, (_, n) => ({ plate: `AB ${n} CD`, owner: `${"long owner name ".repeat(1 + (n % 2))}${n}!`, year: 1990 + (n % 30) }));
const names = /^(\w+\s?)+$/;

function isName(text) {
  return names.test(text.slice(0, 24));
}

function ages(cars) {
  const counts = new Array(60).fill(0);
  for (const { year } of cars) counts[2026 - year]++;
  return counts;
}

const app = express();
app.get("/registrations/:number", (request, response) => {
  const number = Number(request.params.number);
  const cars = typed.slice(number % 30, (number % 30) + 3);
  response.json({ wrong: cars.filter(({ owner }) => !isName(owner)).length, ages: ages(cars) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
