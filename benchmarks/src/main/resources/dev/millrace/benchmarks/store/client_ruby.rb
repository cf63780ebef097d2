# client_ruby with its DirectFileStore; -I names its lib folder. See PeerProcess for what is said.
require 'prometheus/client'
require 'prometheus/client/data_stores/direct_file_store'
require 'prometheus/client/formats/text'
require_relative 'conversation'

class ClientRuby
  def initialize(directory, with_counter)
    Prometheus::Client.config.data_store =
      Prometheus::Client::DataStores::DirectFileStore.new(dir: directory)
    @registry = Prometheus::Client::Registry.new
    @histogram = @registry.histogram(
      :query_seconds, docstring: 'Time of queries.', labels: %i[db statement]
    )
    return unless with_counter

    @counter = @registry.counter(:queries_total, docstring: 'Queries.', labels: %i[db statement])
  end

  def observe(db, statement, value)
    @histogram.observe(value, labels: { db: db, statement: statement })
  end

  def text
    Prometheus::Client::Formats::Text.marshal(@registry)
  end

  def pairs(db, statement, count)
    histogram = @histogram.with_labels(db: db, statement: statement)
    counter = @counter.with_labels(db: db, statement: statement)
    count.times do
      histogram.observe(0.03)
      counter.increment
    end
  end

  def lookups(db, statement, count)
    count.times { @histogram.with_labels(db: db, statement: statement) }
  end

  # The files of processes that ended; a process is what has an id of its own.
  def self.write_dead(directory, sets, count)
    client = new(directory, false)
    FIRST_DEAD_PID.upto(FIRST_DEAD_PID + count - 1) do |pid|
      Process.define_singleton_method(:pid) { pid }
      write_all(client, sets)
    end
  end
end

converse(ClientRuby)
