/**
 * The metric model between sources and formats: a cursor of primitives over metrics and points, the
 * labels of a series with their encoded bytes, and the problems that are counted on the way.
 * Nothing here knows a format or a transport.
 */
@NullMarked
package dev.millrace.model;

import org.jspecify.annotations.NullMarked;
