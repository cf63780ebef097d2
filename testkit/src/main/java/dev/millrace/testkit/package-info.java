/**
 * What the tests of every module share: checks for leaks and for allocation, polling, real programs
 * and slow, obvious references. It depends on no other module of Millrace, so that each of them,
 * {@code core} included, can use it in its tests. Nothing here is published.
 */
@NullMarked
package dev.millrace.testkit;

import org.jspecify.annotations.NullMarked;
