// Counts the answers of surveys.
import express from "express";

const answers = Array.from({ length: 30 }, (_, survey) =>
  Array.from({ length: 300 }, (_one, i) => ({ person: `p${survey}-${i}`, question: i % 40, choice: (i * 7 + survey) % 5 })),
);

function byPerson(given) {
  return given.reduce((known, { person, choice }) => ({ ...known, [person]: choice }), {});
}

function histogram(given) {
  const counts = Array.from({ length: 40 }, () => [0, 0, 0, 0, 0]);
  for (const { question, choice } of given) counts[question][choice]++;
  return counts;
}

const app = express();
app.get("/surveys/:number", (request, response) => {
  const given = answers[Number(request.params.number) % 30];
  const people = byPerson(given);
  response.json({ people: Object.keys(people).length, histogram: histogram(given) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
