"""Signs people up for courses."""

import json
import os

import falcon
from marshmallow import Schema, fields, validate
from waitress import serve

courses = {n: [] for n in range(40)}


def checked(body):
    person = Schema.from_dict(
        {"name": fields.Str(required=True, validate=validate.Length(1, 80)), "age": fields.Int(required=True)}
    )
    signup = Schema.from_dict({"course": fields.Int(), "people": fields.List(fields.Nested(person())), "notes": fields.Str()})
    return signup().load(body)


def enrol(signup):
    people = courses[signup["course"]]
    people.extend(signup["people"])
    del people[:-200]
    return sum(len(f"{person['name']} ({person['age']})") for person in people)


class Courses:
    def on_get(self, _request, response, number):
        people = [{"name": f"person {i}", "age": 20 + i} for i in range(3)]
        response.text = json.dumps({"size": enrol(checked({"course": number % 40, "people": people}))})


app = falcon.App()
app.add_route("/courses/{number:int}", Courses())
serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
