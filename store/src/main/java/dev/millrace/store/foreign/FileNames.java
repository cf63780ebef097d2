package dev.millrace.store.foreign;

import dev.millrace.store.file.MergeMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the files' names tell.
 *
 * <pre>
 *   metric_NAME___PID.bin                       client_ruby
 *   TYPE_PID.db     gauge_MODE_PID.db           client_python
 *   TYPE_PID-N.db   gauge_MODE_PID-N.db         prometheus-client-mmap
 * </pre>
 *
 * A process may have a name in place of its id, such as {@code worker_id_3}. The {@code live...}
 * modes are merged like the others: a file of theirs is there for as long as its process lives,
 * because these clients remove it at its end, and no file tells more.
 */
final class FileNames {
  private static final Pattern RUBY = Pattern.compile("metric_(.+)___(.+)\\.bin", Pattern.DOTALL);
  private static final Pattern NUMBER = Pattern.compile("-\\d+$");
  private static final String DB = ".db";
  private static final String LIVE = "live";

  private FileNames() {}

  /** Whether a file is one of a client's at all, by its name. */
  static boolean isOf(ForeignClient client, String name) {
    boolean ruby = RUBY.matcher(name).matches();
    return switch (client) {
      case AUTO -> ruby || name.endsWith(DB);
      case CLIENT_RUBY -> ruby;
      case CLIENT_PYTHON, PROMETHEUS_CLIENT_MMAP -> name.endsWith(DB);
    };
  }

  /** What a file's name means; {@code null} where it has no type that these clients have. */
  static @Nullable Meaning meaning(ForeignClient client, String name, Schema schema) {
    Matcher ruby = RUBY.matcher(name);
    if (ruby.matches()) {
      return rubyMeaning(ruby.group(1), schema);
    }
    String stem = name.substring(0, name.length() - DB.length());
    int typeEnd = stem.indexOf('_');
    if (typeEnd < 0) {
      return null;
    }
    ForeignType type = ForeignType.of(stem.substring(0, typeEnd));
    if (type == null) {
      return null;
    }
    if (type != ForeignType.GAUGE) {
      return new Meaning(client, type, MergeMode.SUM, null, "", null, List.of());
    }
    int modeEnd = stem.indexOf('_', typeEnd + 1);
    if (modeEnd < 0) {
      return null;
    }
    MergeMode mode = mode(stem.substring(typeEnd + 1, modeEnd));
    if (mode == null) {
      return null;
    }
    String pid =
        mode == MergeMode.EACH
            ? NUMBER.matcher(stem.substring(modeEnd + 1)).replaceFirst("")
            : null;
    return new Meaning(client, type, mode, null, "", pid, List.of());
  }

  private static Meaning rubyMeaning(String metric, Schema schema) {
    Schema.Entry entry = schema.entry(metric);
    return entry == null
        ? new Meaning(
            ForeignClient.CLIENT_RUBY,
            ForeignType.UNTYPED,
            MergeMode.SUM,
            metric,
            "",
            null,
            List.of())
        : new Meaning(
            ForeignClient.CLIENT_RUBY,
            entry.type(),
            entry.mode(),
            metric,
            entry.help(),
            null,
            entry.bounds());
  }

  private static @Nullable MergeMode mode(String word) {
    return switch (word.startsWith(LIVE) ? word.substring(LIVE.length()) : word) {
      case "all" -> MergeMode.EACH;
      case "min" -> MergeMode.MIN;
      case "max" -> MergeMode.MAX;
      case "sum" -> MergeMode.SUM;
      case "mostrecent" -> MergeMode.LATEST;
      default -> null;
    };
  }
}
