@NullMarked
package dev.millrace.export.http;

import org.jspecify.annotations.NullMarked;
