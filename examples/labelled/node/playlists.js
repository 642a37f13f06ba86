// Playlists with the artist of each song.
import express from "express";
import knex from "knex";

const db = knex({ client: "better-sqlite3", connection: { filename: ":memory:" }, useNullAsDefault: true, pool: { min: 1, max: 1 } });
await db.schema.createTable("artist", (table) => {
  table.integer("id").primary();
  table.string("name");
});
await db.schema.createTable("song", (table) => {
  table.integer("id").primary();
  table.integer("artist");
  table.integer("list").index();
});
for (let n = 0; n < 100; n++) await db("artist").insert({ id: n, name: `artist ${n}` });
for (let n = 0; n < 1000; n += 100) await db.batchInsert("song", Array.from({ length: 100 }, (_, i) => ({ id: n + i, artist: (n + i * 7) % 100, list: (n + i) % 25 })), 100);

async function songsOf(list) {
  const songs = await db("song").where({ list }).select("id", "artist");
  for (const song of songs) {
    const artist = await db("artist").where({ id: song.artist }).first("name");
    song.artist = artist.name;
  }
  return songs;
}

function initials(songs) {
  const counts = {};
  for (const { artist } of songs) counts[artist.at(-1)] = (counts[artist.at(-1)] ?? 0) + 1;
  return counts;
}

const app = express();
app.get("/playlists/:number", async (request, response) => {
  const songs = await songsOf(Number(request.params.number) % 25);
  response.json({ songs, initials: initials(songs) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
