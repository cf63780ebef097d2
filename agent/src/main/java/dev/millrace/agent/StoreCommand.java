package dev.millrace.agent;

import dev.millrace.store.tool.StoreTool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code store}: looks at a store's directory, and folds what the dead left. */
final class StoreCommand {
  static final String NAME = "store";

  private StoreCommand() {}

  /** The command with its own commands. */
  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name(NAME);
    addHelp(spec);
    spec.usageMessage().description("Looks after a directory that Millrace's instruments write.");
    add(spec, "list", "Print a line for each file: its process, its series, its size.");
    add(spec, "dump", "Print the values of all processes together, as a scrape reads them.");
    add(spec, "check", "Read all files to their ends, and print those that are not whole.");
    add(spec, "retire", "Fold the values of dead processes into the totals file.");
    return spec;
  }

  private static void add(CommandSpec store, String name, String description) {
    CommandSpec spec =
        CommandSpec.create()
            .name(name)
            .addPositional(
                PositionalParamSpec.builder()
                    .paramLabel("DIRECTORY")
                    .type(Path.class)
                    .arity("1")
                    .required(true)
                    .description("The store's directory.")
                    .build());
    addHelp(spec);
    spec.usageMessage().description(description);
    store.addSubcommand(name, spec);
  }

  private static void addHelp(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Print this, and end.")
            .build());
  }

  /**
   * Runs it.
   *
   * @param parsed what follows the word {@code store}
   * @return the exit code: 0, 1 where something failed or is not whole, 2 for wrong use
   */
  static int run(ParseResult parsed, PrintWriter out, PrintWriter err) {
    ParseResult command = parsed.subcommand();
    if (command == null || command.isUsageHelpRequested()) {
      boolean asked = command != null || parsed.isUsageHelpRequested();
      CommandSpec of = (command == null ? parsed : command).commandSpec();
      new CommandLine(of).usage(asked ? out : err);
      return asked ? Invocation.OK : Invocation.WRONG_USE;
    }
    Path directory = command.matchedPositionalValue(0, Path.of(""));
    try {
      return run(command.commandSpec().name(), new StoreTool(directory, new Lines(out)));
    } catch (IOException | UncheckedIOException e) {
      err.println("millrace-agent store: " + directory + ": " + e);
      return Invocation.FAILED;
    } finally {
      out.flush();
    }
  }

  private static int run(String name, StoreTool tool) throws IOException {
    switch (name) {
      case "list" -> tool.list();
      case "dump" -> tool.dump();
      case "check" -> {
        return tool.check() == 0 ? Invocation.OK : Invocation.FAILED;
      }
      case "retire" -> tool.retire();
      default -> throw new IllegalArgumentException("expected a known command, found " + name);
    }
    return Invocation.OK;
  }

  /** Shows each line when it is whole, so that a person sees how far long work is. */
  private static final class Lines implements Appendable {
    private final PrintWriter out;

    Lines(PrintWriter out) {
      this.out = out;
    }

    @Override
    public Appendable append(CharSequence text) {
      return append(text, 0, text.length());
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) {
      out.append(text, start, end);
      if (end > start && text.charAt(end - 1) == '\n') {
        out.flush();
      }
      return this;
    }

    @Override
    public Appendable append(char c) {
      out.append(c);
      return this;
    }
  }
}
