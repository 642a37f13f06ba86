"""Takes vital signs of patients, checked by models."""

import os
from typing import Literal

import uvicorn
from fastapi import Body, FastAPI
from pydantic import BaseModel, Field

app = FastAPI()


class Sign(BaseModel):
    kind: Literal["pulse", "pressure", "oxygen"]
    value: float = Field(ge=0, le=300)
    at: int


class Report(BaseModel):
    patient: int
    signs: list[Sign]


class Assessment(BaseModel):
    patient: int
    warnings: list[str]
    means: dict[str, float]


LIMITS = {"pulse": (50, 120), "pressure": (80, 150), "oxygen": (92, 100)}


def assess(report: Report) -> Assessment:
    values = {kind: [sign.value for sign in report.signs if sign.kind == kind] for kind in LIMITS}
    means = {kind: sum(of) / len(of) for kind, of in values.items() if of}
    warnings = [kind for kind, mean in means.items() if not LIMITS[kind][0] <= mean <= LIMITS[kind][1]]
    return Assessment(patient=report.patient, warnings=warnings, means=means)


def reading(number: int) -> dict:
    kinds = ("pulse", "pressure", "oxygen")
    return {"patient": number, "signs": [{"kind": kinds[i % 3], "value": 60 + i % 40, "at": i} for i in range(120)]}


@app.get("/patients/{number}")
async def patient(number: int) -> Assessment:
    return assess(Report.model_validate(reading(number)))


@app.post("/patients")
async def report(body: Report = Body()) -> Assessment:
    return assess(body)


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
