"""Previews of links in a chat: the title of each page."""

import os

from bs4 import BeautifulSoup
from fastapi import FastAPI
import uvicorn

app = FastAPI()


def page(n):
    links = "".join(f'<div class="c{i % 9}"><a href="/x/{i}">link {i}</a><p>Text <b>{n}</b></p></div>' for i in range(120))
    return f'<html><head><title>Page {n}</title><meta name="description" content="About {n}"></head><body>{links}</body></html>'


pages = [page(n) for n in range(20)]


def title_of(text):
    soup = BeautifulSoup(text, "html.parser")
    return {"title": soup.title.string, "about": soup.find("meta")["content"]}


def messages_around(number):
    return [{"id": number + i, "text": f"message {i}"} for i in range(60) if (number * i) % 7 > 2]


@app.get("/previews/{number}")
def preview(number: int):
    return {"preview": title_of(pages[number % 20]), "messages": messages_around(number)}


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
