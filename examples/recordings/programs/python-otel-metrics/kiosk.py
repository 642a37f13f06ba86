"""A kiosk that counts its requests with OpenTelemetry, and reports twice and when it ends."""

import time

from flask import Flask
from opentelemetry import metrics
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.instrumentation.flask import FlaskInstrumentor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

reader = PeriodicExportingMetricReader(OTLPMetricExporter(), export_interval_millis=3600000)
provider = MeterProvider(metric_readers=[reader])
metrics.set_meter_provider(provider)
app = Flask("kiosk")
FlaskInstrumentor().instrument_app(app)


@app.get("/papers/<name>")
def paper(name):
    time.sleep(0.002)
    return ("none", 404) if name == "none" else "paper"


@app.post("/orders")
def order():
    return "ordered", 201


client = app.test_client()
for _ in range(7):
    client.get("/papers/a")
for _ in range(2):
    client.get("/papers/none")
client.post("/orders")
provider.force_flush()
for _ in range(5):
    client.get("/papers/b")
client.get("/nowhere")
provider.force_flush()
provider.shutdown()
