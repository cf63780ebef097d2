#!/usr/bin/env bash
# Builds and runs the benchmarks of the multi-process store beside other clients that have one, and writes the ratios into RESULTS.md.
#   benchmarks/store.sh quick          under 5 minutes; RESULTS.md stays as it is
#   benchmarks/store.sh full           everything; RESULTS.md gets the new figures
# Further arguments go to JMH.
#
# Peers, each left out where it is not there:
#   client_ruby                its source, in the folder that CLIENT_RUBY_DIR names (4.2.5), and CLIENT_RUBY_5_DIR (5.x)
#   prometheus-client-mmap     Debian's ruby-prometheus-client-mmap
#   client_python              Debian's python3-prometheus-client
# As root, on Debian, what is missing of Debian's is installed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mode=${1:-}
page="$root/benchmarks/target/store-quick.md"
case $mode in
  quick) options=(-wi 1 -w 1s -i 1 -r 1s -p workload=SEED -p dead=500 -p state=WARM) ;;
  full) options=() page="$root/benchmarks/RESULTS.md" ;;
  *) echo "usage: benchmarks/store.sh quick|full [JMH arguments]" >&2; exit 2 ;;
esac
shift

packages=()
command -v ruby >/dev/null || packages+=(ruby)
ruby -e 'require "prometheus/client/mmaped_value"' 2>/dev/null || packages+=(ruby-prometheus-client-mmap)
/usr/bin/python3 -c 'import prometheus_client' 2>/dev/null || packages+=(python3-prometheus-client)
if [ ${#packages[@]} -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q "${packages[@]}" >&2 || true
fi

files=()
need() { # NAME, WHAT IS MISSING, COMMAND...: a peer, where the command succeeds
  local name=$1 missing=$2
  shift 2
  if "$@" >/dev/null 2>&1; then files+=("$name"); else echo "goes on without $name: $missing" >&2; fi
}
need client_ruby-4.2.5 "set CLIENT_RUBY_DIR to its source" ruby -I "${CLIENT_RUBY_DIR:-/none}/lib" -e 'require "prometheus/client/data_stores/direct_file_store"'
need client_ruby-5 "set CLIENT_RUBY_5_DIR to its source" ruby -I "${CLIENT_RUBY_5_DIR:-/none}/lib" -e 'require "prometheus/client/data_stores/direct_file_store"'
need prometheus-client-mmap "install ruby-prometheus-client-mmap" ruby -e 'require "prometheus/client/mmaped_value"'
need client_python "install python3-prometheus-client" /usr/bin/python3 -c 'import prometheus_client'

(cd "$root" && mvn -q -B -pl benchmarks -am package -DskipTests) >&2
classpath="$root/benchmarks/target/classes:$(cat "$root/benchmarks/target/runtime.classpath")"
peers=$(IFS=,; echo "${files[*]}")
run() { # JMH's pattern, and its arguments: one result file and its tables
  local results="$root/benchmarks/target/store-$mode-$1.json"
  java -cp "$classpath" org.openjdk.jmh.Main "$@" -rf json -rff "$results"
  java -cp "$classpath" dev.millrace.benchmarks.RatioTable "$results" "$page"
}
run StoreScrapeBenchmark -p contestant="millrace${peers:+,$peers}" "${options[@]}" "$@"
if [ -n "$peers" ]; then
  run ForeignScrapeBenchmark -p files="$peers" "${options[@]}" "$@"
fi
case ",$peers," in
  *,client_ruby-4.2.5,*) run ChurnBenchmark "${options[@]}" "$@" ;;
  *) run ChurnBenchmark -p contestant=millrace "${options[@]}" "$@" ;;
esac
run RecordBenchmark.pair -p contestant="millrace${peers:+,$peers}" "${options[@]}" "$@"
# prometheus-client-mmap has no series to look up.
finders=$(IFS=,; echo "${files[*]}" | sed 's/prometheus-client-mmap//; s/,,/,/; s/^,//; s/,$//')
run RecordBenchmark.lookup -p contestant="millrace${finders:+,$finders}" "${options[@]}" "$@"
java -Xmx1g -cp "$classpath" dev.millrace.benchmarks.store.StoreFootprint "$page" ${files[@]+"${files[@]}"}
echo "results: $root/benchmarks/target/store-$mode-*.json, table: $page" >&2
