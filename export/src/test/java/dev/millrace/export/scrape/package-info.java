/** Tests of answering scrapes. */
@NullMarked
package dev.millrace.export.scrape;

import org.jspecify.annotations.NullMarked;
