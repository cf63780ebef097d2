/** Sources that are read when the agent is scraped, and not sent to it. */
@NullMarked
package dev.millrace.agent.pull;

import org.jspecify.annotations.NullMarked;
