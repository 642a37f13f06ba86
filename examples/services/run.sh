#!/bin/bash
# Builds and runs a small service that sends profiles and HTTP metrics, and asks it for an order five times a second:
#   FLAMEKEEP_KEY=fk_... examples/services/run.sh go
set -euo pipefail
language=${1:?Name a language: go, java, node or python}
: "${FLAMEKEEP_KEY:?Make a key in Settings, API Keys, and set FLAMEKEEP_KEY}"
export FLAMEKEEP_KEY FLAMEKEEP_URL=${FLAMEKEEP_URL:-http://localhost:4040} PORT=${PORT:-8080}
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/flamekeep-services/$language}
mkdir -p "$build"
cp "$here/$language/"* "$build"
cd "$build"

# Runs the command of the guide that installs the SDK, so that the version is written once.
install() {
  bash -c "$(sed -n '/^```sh$/{n;p;q}' "$here/../../docs/guide/send-$1.md")"
}

case $language in
  go)
    [ -e go.mod ] || go mod init checkout
    install go-sdk
    go build -o service .
    service=(./service)
    ;;
  java)
    install java
    javac Service.java
    export PYROSCOPE_SERVER_ADDRESS=$FLAMEKEEP_URL PYROSCOPE_AUTH_TOKEN=$FLAMEKEEP_KEY PYROSCOPE_APPLICATION_NAME=checkout-java
    export PYROSCOPE_PROFILER_ALLOC=512k PYROSCOPE_LABELS="region=eu,version=1.0.0,instance=$(hostname)"
    service=(java -javaagent:agent.jar Service)
    ;;
  node)
    [ -e package.json ] || echo '{ "private": true }' > package.json
    install node
    service=(node service.js)
    ;;
  python)
    [ -e venv ] || python3 -m venv venv
    PATH=$build/venv/bin:$PATH install python
    service=(venv/bin/python service.py)
    ;;
  *)
    echo "There is no service in $language: choose go, java, node or python." >&2
    exit 1
    ;;
esac

"${service[@]}" &
trap 'kill $!' EXIT
echo "$language serves http://localhost:$PORT/orders/7 as checkout-$language (stop with Ctrl-C)"
while kill -0 $! 2> /dev/null; do
  curl -s -o /dev/null "http://localhost:$PORT/orders/7" || true
  sleep 0.2
done
