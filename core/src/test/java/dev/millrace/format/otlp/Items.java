package dev.millrace.format.otlp;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The items of requests one by one, each with everything around it: what splitting must leave as it
 * is, in its order.
 */
final class Items {
  private static final Set<String> CONTAINERS =
      Set.of(
          "resource_metrics",
          "scope_metrics",
          "metrics",
          "gauge",
          "sum",
          "histogram",
          "exponential_histogram",
          "summary",
          "resource_spans",
          "scope_spans",
          "resource_logs",
          "scope_logs");
  private static final Set<String> ITEMS = Set.of("data_points", "spans", "log_records");

  private Items() {}

  static List<List<Message>> of(List<? extends Message> requests) {
    List<List<Message>> items = new ArrayList<>();
    requests.forEach(request -> items.addAll(of(request)));
    return items;
  }

  /** For each item the messages around it, without their other items, and the item itself. */
  static List<List<Message>> of(Message request) {
    List<List<Message>> items = new ArrayList<>();
    collect(request, List.of(), items);
    return items;
  }

  private static void collect(
      MessageOrBuilder message, List<Message> outer, List<List<Message>> items) {
    Message.Builder bare = ((Message) message).toBuilder();
    List<Message> inner = new ArrayList<>();
    boolean holdsItems = false;
    for (FieldDescriptor field : message.getAllFields().keySet()) {
      if (ITEMS.contains(field.getName()) || CONTAINERS.contains(field.getName())) {
        holdsItems = ITEMS.contains(field.getName());
        if (field.isRepeated()) {
          for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
            inner.add((Message) message.getRepeatedField(field, i));
          }
        } else {
          inner.add((Message) message.getField(field));
        }
        bare.clearField(field);
      }
    }
    List<Message> path = new ArrayList<>(outer);
    path.add(bare.build());
    for (Message each : inner) {
      if (holdsItems) {
        List<Message> item = new ArrayList<>(path);
        item.add(each);
        items.add(item);
      } else {
        collect(each, path, items);
      }
    }
  }
}
