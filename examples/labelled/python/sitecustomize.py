"""Loaded before the service: sends its profiles with Pyroscope's SDK for Python."""

import os

if "PYROSCOPE_ADDRESS" in os.environ:
    import pyroscope

    pyroscope.configure(
        application_name=os.environ["SERVICE"],
        server_address=os.environ["PYROSCOPE_ADDRESS"],
        sample_rate=200,
        # Hashing and compression release the GIL.
        gil_only=os.environ.get("GIL_ONLY") != "no",
    )
