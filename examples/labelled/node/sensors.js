// Readings of sensors, with a model that notices changes.
import express from "express";

function observable(target, changed) {
  return new Proxy(target, {
    get: (object, key) => (typeof object[key] === "object" && object[key] !== null ? observable(object[key], changed) : object[key]),
    set: (object, key, value) => {
      changed.add(key);
      object[key] = value;
      return true;
    },
  });
}

const readings = Array.from({ length: 400 }, (_, n) => ({ place: { room: n % 20, floor: n % 4 }, value: { celsius: 15 + (n % 12), humidity: n % 60 } }));

function corrected(model) {
  let sum = 0;
  for (let i = 0; i < model.readings.length; i++) {
    model.readings[i].value.celsius += 0.1;
    sum += model.readings[i].value.celsius * model.readings[i].place.floor;
  }
  return sum;
}

function byRoom(rows) {
  const rooms = Array.from({ length: 20 }, () => 0);
  for (const { place, value } of rows) rooms[place.room] += value.humidity;
  return rooms;
}

const app = express();
app.get("/sensors/:number", (_request, response) => {
  const changed = new Set();
  response.json({ sum: corrected(observable({ readings }, changed)), changed: changed.size, rooms: byRoom(readings) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
