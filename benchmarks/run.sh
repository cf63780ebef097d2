#!/usr/bin/env bash
# Builds and runs the benchmarks, and writes the ratios into RESULTS.md.
#   benchmarks/run.sh quick            under 5 minutes: up to 10,000 series, short iterations; RESULTS.md stays as it is
#   benchmarks/run.sh full             everything, about half an hour; RESULTS.md gets the new figures
# Further arguments go to JMH, such as a part of a benchmark's name or -p series=1000
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mode=${1:-}
page="$root/benchmarks/target/quick.md"
case $mode in
  quick) options=(-wi 3 -w 1s -i 5 -r 1s -p series=1000,10000) ;;
  full) options=() page="$root/benchmarks/RESULTS.md" ;;
  *) echo "usage: benchmarks/run.sh quick|full [JMH arguments]" >&2; exit 2 ;;
esac
shift

(cd "$root" && mvn -q -B -pl benchmarks -am package -DskipTests) >&2
classpath="$root/benchmarks/target/classes:$(cat "$root/benchmarks/target/runtime.classpath")"
results="$root/benchmarks/target/$mode.json"
java -cp "$classpath" org.openjdk.jmh.Main -rf json -rff "$results" -prof gc "${options[@]}" "$@"
java -cp "$classpath" dev.millrace.benchmarks.RatioTable "$results" "$page"
echo "results: $results, table: $page" >&2
