package dev.millrace.benchmarks.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The other clients that share metrics between processes through files. Their code is not part of
 * Millrace; where it is comes from the environment, or from the system's packages.
 */
enum Peer {
  /** Pure Ruby. */
  CLIENT_RUBY("client_ruby-4.2.5", "client_ruby.rb", "CLIENT_RUBY_DIR"),
  /** The same, whose newer version codes keys in another way. */
  CLIENT_RUBY_5("client_ruby-5", "client_ruby.rb", "CLIENT_RUBY_5_DIR"),
  /** Ruby, with a C extension that writes and reads the files. */
  MMAP("prometheus-client-mmap", "prometheus_client_mmap.rb", null),
  /** Pure Python. */
  CLIENT_PYTHON("client_python", "client_python.py", null);

  private final String contestant;
  private final String script;
  private final @Nullable String folderVariable;

  Peer(String contestant, String script, @Nullable String folderVariable) {
    this.contestant = contestant;
    this.script = script;
    this.folderVariable = folderVariable;
  }

  /** Its name in parameters and tables. */
  String contestant() {
    return contestant;
  }

  /** The file, beside this class, of the script that runs it. */
  String script() {
    return script;
  }

  /**
   * The peer of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Peer of(String contestant) {
    for (Peer peer : values()) {
      if (peer.contestant.equals(contestant)) {
        return peer;
      }
    }
    throw new IllegalArgumentException("expected the name of a peer, found " + contestant);
  }

  /**
   * What runs its script.
   *
   * @throws IllegalStateException if the environment does not say where the client is
   */
  List<String> interpreter() {
    List<String> command = new ArrayList<>();
    if (script.endsWith(".py")) {
      // The system's, which is the one that has the system's package.
      command.add("/usr/bin/python3");
      return command;
    }
    command.add("ruby");
    if (folderVariable != null) {
      String folder = System.getenv(folderVariable);
      if (folder == null) {
        throw new IllegalStateException(
            "expected " + folderVariable + " to name client_ruby's folder, found it unset");
      }
      command.add("-I");
      command.add(folder + "/lib");
    }
    return command;
  }
}
