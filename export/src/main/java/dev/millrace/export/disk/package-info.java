/** Keeps payloads that could not be sent in a directory, until they can. */
@NullMarked
package dev.millrace.export.disk;

import org.jspecify.annotations.NullMarked;
