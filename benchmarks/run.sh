#!/usr/bin/env bash
# Builds and runs the benchmarks, and writes the ratios into RESULTS.md.
#   benchmarks/run.sh quick            some minutes: 10,000 series in one format, one size of each OTLP request, short iterations; RESULTS.md stays as it is
#   benchmarks/run.sh full             everything, well over an hour; RESULTS.md gets the new figures
# Further arguments go to JMH, such as a part of a benchmark's name or -p series=1000
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mode=${1:-}
page="$root/benchmarks/target/quick.md"
case $mode in
  quick) options=(-wi 2 -w 1s -i 3 -r 1s -p series=10000 -p format=TEXT -p scrapers=1 -p headers=PROMETHEUS_2 -p input=TEXT
    -p reuse=POOLED -p kinds=COUNTERS -p metrics=64 -p attributes=8 -p resource=SAME_OBJECT -p batches=1) ;;
  full) options=() page="$root/benchmarks/RESULTS.md" ;;
  *) echo "usage: benchmarks/run.sh quick|full [JMH arguments]" >&2; exit 2 ;;
esac
shift

(cd "$root" && mvn -q -B -pl benchmarks -am package -DskipTests) >&2
classpath="$root/benchmarks/target/classes:$(cat "$root/benchmarks/target/runtime.classpath")"
results="$root/benchmarks/target/$mode.json"
java -cp "$classpath" org.openjdk.jmh.Main -rf json -rff "$results" -prof gc "${options[@]}" "$@"
java -cp "$classpath" dev.millrace.benchmarks.RatioTable "$results" "$page"
java -Xmx2g -cp "$classpath" dev.millrace.benchmarks.scrape.ScrapeFootprint "$page"
echo "results: $results, table: $page" >&2
