"""Answers some requests, and sends their spans with OpenTelemetry's exporter of OTLP over HTTP."""

import os

from flask import Flask
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.flask import FlaskInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

resource = Resource.create({"service.name": "kiosk", "service.version": "1.2.3"})
provider = TracerProvider(resource=resource)
exporter = OTLPSpanExporter(endpoint=f"{os.environ['ADDRESS']}/v1/traces", compression=Compression.Gzip)
provider.add_span_processor(BatchSpanProcessor(exporter))
app = Flask(__name__)
FlaskInstrumentor().instrument_app(app, tracer_provider=provider)


@app.route("/papers/<name>")
def paper(name):
    with provider.get_tracer("kiosk").start_as_current_span("find"):
        return (name, 404) if name == "none" else name


for path in ["/papers/morning", "/papers/evening?copies=2", "/papers/none", "/nowhere"]:
    app.test_client().get(path)
provider.shutdown()
