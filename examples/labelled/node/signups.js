// Signs people up for courses.
import express from "express";
import { z } from "zod";

const courses = new Map(Array.from({ length: 40 }, (_, n) => [n, []]));

function checked(body) {
  const person = z.object({ name: z.string().min(1).max(80), email: z.string().regex(/^[^@]+@[^@]+$/), age: z.number().int().min(16) });
  const signup = z.object({ course: z.number(), people: z.array(person).max(20), notes: z.string().optional(), terms: z.literal(true) });
  return signup.parse(body);
}

function enrol({ course, people }) {
  const list = courses.get(course);
  list.push(...people);
  if (list.length > 500) list.splice(0, 250);
  return list.map(({ name, age }) => `${name} (${age})`).join(", ").length;
}

const app = express();
app.get("/courses/:number", (request, response) => {
  const number = Number(request.params.number);
  const people = Array.from({ length: 3 }, (_, i) => ({ name: `person ${i}`, email: `p${i}@example.org`, age: 20 + i }));
  response.json({ size: enrol(checked({ course: number % 40, people, terms: true })) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
