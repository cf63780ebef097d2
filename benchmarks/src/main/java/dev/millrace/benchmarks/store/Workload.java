package dev.millrace.benchmarks.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The label sets that each process observes queries with. All values are the same each time. */
public enum Workload {
  /** 150 statements with 10 to 49 placeholders. */
  SEED {
    @Override
    String statement(int set) {
      return withPlaceholders(set, FEWEST_PLACEHOLDERS + set % PLACEHOLDER_STEPS);
    }

    @Override
    int size() {
      return 150;
    }
  },
  /** 370 statements of up to 3,920 characters, 723 in the mean: many short and few long ones. */
  BIG {
    @Override
    String statement(int set) {
      double rank = set / (size() - 1.0);
      double chars = LEAST_CHARS + (MOST_CHARS - LEAST_CHARS) * Math.pow(rank, STEEPNESS);
      int without = withPlaceholders(set, 1).length();
      return withPlaceholders(set, 1 + (int) Math.max(0, chars - without) / PLACEHOLDER.length());
    }

    @Override
    int size() {
      return 370;
    }
  },
  /** 20 statements as {@link #SEED}'s. */
  CHURN {
    @Override
    String statement(int set) {
      return SEED.statement(set);
    }

    @Override
    int size() {
      return 20;
    }
  };

  /** Processes that write the workload. */
  static final int PROCESSES = 10;

  static final String NAME = "query_seconds";
  static final String HELP = "Time of queries.";
  static final String COUNTER = "queries_total";
  static final String DATABASE = "db";
  static final String STATEMENT = "statement";

  private static final double[] VALUES = {0.003, 0.03, 0.3, 3};
  private static final String DATABASE_VALUE = "orders";
  private static final int FEWEST_PLACEHOLDERS = 10;
  private static final int PLACEHOLDER_STEPS = 40;
  private static final String PLACEHOLDER = ", ?";
  private static final int LEAST_CHARS = 60;
  private static final int MOST_CHARS = 3_920;

  /** So that the mean is 723 characters. */
  private static final double STEEPNESS = 4.84;

  /** One of the label sets. */
  record LabelSet(String database, String statement) {}

  abstract String statement(int set);

  /** How many label sets there are. */
  abstract int size();

  static String withPlaceholders(int set, int placeholders) {
    return "SELECT a, b, c FROM ks.t"
        + set
        + " WHERE id = ? AND x IN (?"
        + PLACEHOLDER.repeat(placeholders - 1)
        + ")";
  }

  /** The values that are observed in each label set. */
  static double[] observations() {
    return VALUES.clone();
  }

  /** All label sets. */
  List<LabelSet> labelSets() {
    List<LabelSet> sets = new ArrayList<>();
    for (int set = 0; set < size(); set++) {
      sets.add(new LabelSet(DATABASE_VALUE, statement(set)));
    }
    return sets;
  }

  /** The one that stands for the others where one series is recorded in. */
  LabelSet middle() {
    return labelSets().get(size() / 2);
  }

  /** Writes the label sets into a file, one a line, the values apart by a tab. */
  void writeTo(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    for (LabelSet set : labelSets()) {
      text.append(set.database()).append('\t').append(set.statement()).append('\n');
    }
    Files.writeString(file, text);
  }
}
