/**
 * The files of a store directory: their layout, the one writer of each, the readers, how files are
 * merged, and how those of dead processes are retired. Nothing here is exported.
 */
@NullMarked
package dev.millrace.store.file;

import org.jspecify.annotations.NullMarked;
