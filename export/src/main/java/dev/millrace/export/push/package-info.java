/** Sends finished payloads: what a transport is, and who retries, splits and gives up. */
@NullMarked
package dev.millrace.export.push;

import org.jspecify.annotations.NullMarked;
