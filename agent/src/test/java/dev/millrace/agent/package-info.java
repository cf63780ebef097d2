/** Tests of the agent as a whole. */
@NullMarked
package dev.millrace.agent;

import org.jspecify.annotations.NullMarked;
