package dev.millrace.agent;

import dev.millrace.agent.config.AgentConfig;
import dev.millrace.agent.config.ConfigException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * What a command line asks for.
 *
 * @param config what to run, or {@code null} where nothing is to be run
 * @param exitCode the exit code where nothing is to be run
 */
record Invocation(@Nullable AgentConfig config, int exitCode) {
  /** All went well. */
  static final int OK = 0;

  /** The agent could not start, or not stop in time. */
  static final int FAILED = 1;

  /** The command line or the configuration is wrong. */
  static final int WRONG_USE = 2;

  private static final String NAME = "millrace-agent";

  /**
   * Reads a command line, and the configuration that it names.
   *
   * @param out takes what was asked for
   * @param err takes what is wrong
   */
  static Invocation of(String[] args, PrintWriter out, PrintWriter err) {
    CommandLine commandLine = new CommandLine(spec());
    ParseResult parsed;
    try {
      parsed = commandLine.parseArgs(args);
    } catch (ParameterException e) {
      err.println(NAME + ": " + e.getMessage() + "; see " + NAME + " --help");
      return new Invocation(null, WRONG_USE);
    }
    if (parsed.hasSubcommand()) {
      return new Invocation(null, StoreCommand.run(parsed.subcommand(), out, err));
    }
    if (parsed.isUsageHelpRequested()) {
      commandLine.usage(out);
      return new Invocation(null, OK);
    }
    if (parsed.isVersionHelpRequested()) {
      commandLine.printVersionHelp(out, CommandLine.Help.Ansi.OFF);
      return new Invocation(null, OK);
    }
    if (parsed.hasMatchedOption("--print-config")) {
      out.print(AgentConfig.defaultYaml());
      out.flush();
      return new Invocation(null, OK);
    }
    Path file = parsed.matchedOptionValue("--config", null);
    try {
      return new Invocation(file == null ? AgentConfig.defaults() : AgentConfig.load(file), OK);
    } catch (ConfigException e) {
      err.println(e.getMessage());
      return new Invocation(null, WRONG_USE);
    }
  }

  /** The options, without annotations: finding those by reflection would take longer to start. */
  private static CommandSpec spec() {
    CommandSpec spec =
        CommandSpec.create()
            .name(NAME)
            .version("Millrace agent " + AgentVersion.text())
            .addOption(
                OptionSpec.builder("-c", "--config")
                    .paramLabel("FILE")
                    .type(Path.class)
                    .description(
                        "Run what this file says: YAML in the OpenTelemetry Collector's shape."
                            + " Without it, OTLP/HTTP on 127.0.0.1:4318 and scrapes on"
                            + " 127.0.0.1:9464.")
                    .build())
            .addOption(
                OptionSpec.builder("--print-config")
                    .description("Print the configuration that holds without a file, and end.")
                    .build())
            .addOption(
                OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .description("Print this, and end.")
                    .build())
            .addOption(
                OptionSpec.builder("-V", "--version")
                    .versionHelp(true)
                    .description("Print the version, and end.")
                    .build());
    spec.addSubcommand(StoreCommand.NAME, StoreCommand.spec());
    spec.usageMessage()
        .description("Receives OpenTelemetry metrics and lets Prometheus scrape them.")
        .footer(
            "",
            "Exit codes: 0 after a clean stop, 1 where the agent cannot start or did not stop in"
                + " time or a command failed or found a file that is not whole, 2 where the command"
                + " line or the configuration is wrong.");
    return spec;
  }
}
