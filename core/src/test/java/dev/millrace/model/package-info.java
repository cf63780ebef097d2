/** Tests of the metric model, and an in-memory source that the tests of the formats share. */
@NullMarked
package dev.millrace.model;

import org.jspecify.annotations.NullMarked;
