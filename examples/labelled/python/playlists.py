"""Playlists with the artist of each song."""

import os

from fastapi import FastAPI
from sqlalchemy import ForeignKey, StaticPool, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
import uvicorn

engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})


class Base(DeclarativeBase):
    pass


class Artist(Base):
    __tablename__ = "artist"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


class Song(Base):
    __tablename__ = "song"
    id: Mapped[int] = mapped_column(primary_key=True)
    playlist: Mapped[int] = mapped_column(index=True)
    artist_id: Mapped[int] = mapped_column(ForeignKey("artist.id"))
    artist: Mapped[Artist] = relationship()


Base.metadata.create_all(engine)
with Session(engine) as session:
    session.add_all(Artist(id=n, name=f"artist {n}") for n in range(100))
    session.add_all(Song(id=n, playlist=n % 25, artist_id=(n * 7) % 100) for n in range(1000))
    session.commit()
app = FastAPI()


def songs_of(playlist):
    with Session(engine) as session:
        songs = session.scalars(select(Song).where(Song.playlist == playlist)).all()
        return [{"id": song.id, "artist": song.artist.name} for song in songs]


def initials(songs):
    counts = {}
    for song in songs:
        counts[song["artist"][-1]] = counts.get(song["artist"][-1], 0) + 1
    return counts


@app.get("/playlists/{number}")
async def show(number: int):
    songs = songs_of(number % 25)
    return {"songs": songs, "initials": initials(songs)}


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
