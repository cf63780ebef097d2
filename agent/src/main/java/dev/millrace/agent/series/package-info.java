/** The series table: the latest value of each series that the agent has received. */
@NullMarked
package dev.millrace.agent.series;

import org.jspecify.annotations.NullMarked;
