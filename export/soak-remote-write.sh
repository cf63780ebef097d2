#!/bin/sh
# Sends samples by remote write to a receiver that is killed twice, then with a sender that is killed, for a long time, and counts what arrives.
# Arguments: seconds (600), samples a second (50000). What was found is printed; the logs of all processes are in the test's directory until it ends.
cd "$(dirname "$0")/.." || exit 1
seconds=${1:-600}
rate=${2:-50000}
exec mvn -q -B -pl export -am test -Dtest=RemoteWriteSoakTest -Dsurefire.failIfNoSpecifiedTests=false \
  "-Dmillrace.soak.seconds=$seconds" "-Dmillrace.soak.rate=$rate"
