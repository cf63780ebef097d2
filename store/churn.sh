#!/bin/sh
# Ten processes of four threads record while they are killed, retired and scraped, for a long time.
# Arguments: seconds (600), seed (a new one). The seed is printed.
cd "$(dirname "$0")/.." || exit 1
seconds=${1:-600}
seed=${2:-$(date +%s%N)}
exec mvn -q -B -pl store -am test -Dtest=ChurnTest -Dsurefire.failIfNoSpecifiedTests=false \
  "-Dmillrace.churn.seconds=$seconds" "-Dmillrace.churn.seed=$seed"
