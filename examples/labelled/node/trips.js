// Trips of rented bicycles, summed by hour.
import express from "express";
import moment from "moment";

const two = (n) => String(n).padStart(2, "0");
const trips = Array.from({ length: 6000 }, (_, n) => ({
  bike: n % 90,
  start: `2026-03-${two(1 + (n % 28))} ${two(n % 24)}:${two(n % 60)}:00`,
  metres: 300 + ((n * 7) % 5000),
}));

function hourOf(trip) {
  return moment(trip.start, "YYYY-MM-DD HH:mm:ss").hour();
}

function byHour(selected) {
  const hours = Array.from({ length: 24 }, () => ({ trips: 0, metres: 0 }));
  for (const trip of selected) {
    const entry = hours[hourOf(trip)];
    entry.trips++;
    entry.metres += trip.metres;
  }
  return hours;
}

const app = express();
app.get("/trips/:number", (request, response) => {
  const first = (Number(request.params.number) * 31) % 5000;
  const selected = trips.slice(first, first + 500);
  const calories = selected.reduce((sum, { metres }) => sum + (metres / 1000) * 23.5, 0);
  response.json({ hours: byHour(selected), calories });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
