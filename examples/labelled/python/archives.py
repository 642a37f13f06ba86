"""Documents of an archive; the index of one is read from its file."""

import json
import os
import tempfile
import zlib

import uvicorn
from fastapi import FastAPI

app = FastAPI()
folder = tempfile.mkdtemp()
for n in range(30):
    pages = [{"page": p, "text": f"page {p} of document {n} " * 40} for p in range(200)]
    with open(f"{folder}/{n}.z", "wb") as file:
        file.write(zlib.compress(json.dumps(pages).encode(), 1))


def read_document(number):
    with open(f"{folder}/{number}.z", "rb") as file:
        return json.loads(zlib.decompress(file.read()))


def words(pages):
    return sum(page["text"].count(" ") for page in pages)


@app.get("/documents/{number}")
async def document(number: int):
    pages = read_document(number % 30)
    return {"document": number, "pages": len(pages), "words": words(pages)}


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
