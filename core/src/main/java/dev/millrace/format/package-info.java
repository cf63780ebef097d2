/**
 * What every encoder is: a cursor in, bytes out. Each format lives in a package of its own below
 * this one. No encoder does I/O, reads a clock or takes a lock.
 */
@NullMarked
package dev.millrace.format;

import org.jspecify.annotations.NullMarked;
