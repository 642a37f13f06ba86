"""Takes lists of parcels from the scanners."""

import json
import os

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, TypeAdapter

app = FastAPI()


class Size(BaseModel):
    width: int
    height: int
    depth: int


class Parcel(BaseModel):
    code: str
    size: Size
    grams: int
    stops: list[str] = []


def scanned(number):
    parcels = [
        {"code": f"{number}-{i}", "size": {"width": i, "height": 4, "depth": 9}, "grams": i * 30, "stops": ["a", "b"]}
        for i in range(100)
    ]
    return json.dumps(parcels)


def read_parcels(text):
    return TypeAdapter(list[Parcel]).validate_json(text)


@app.get("/scans/{number}")
async def scan(number: int):
    parcels = read_parcels(scanned(number))
    volume = sum(one.size.width * one.size.height * one.size.depth for one in parcels)
    return {"parcels": len(parcels), "volume": volume, "grams": sum(one.grams for one in parcels)}


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
