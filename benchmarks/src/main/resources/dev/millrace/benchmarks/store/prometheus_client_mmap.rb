# prometheus-client-mmap, whose scrape is a C extension. See PeerProcess for what is said.
require 'prometheus/client'
require 'prometheus/client/formats/text'
require_relative 'conversation'

class PrometheusClientMmap
  def initialize(directory, with_counter)
    Prometheus::Client.configuration.multiprocess_files_dir = directory
    Prometheus::Client.configuration.logger = Logger.new($stderr)
    @directory = directory
    registry = Prometheus::Client::Registry.new
    @histogram = registry.histogram(:query_seconds, 'Time of queries.')
    @counter = registry.counter(:queries_total, 'Queries.') if with_counter
  end

  def observe(db, statement, value)
    @histogram.observe({ db: db, statement: statement }, value)
  end

  def text
    Prometheus::Client::Formats::Text.marshal_multiprocess(@directory)
  end

  # It has no series to hold on to.
  def pairs(db, statement, count)
    labels = { db: db, statement: statement }
    count.times do
      @histogram.observe(labels, 0.03)
      @counter.increment(labels)
    end
  end
end

converse(PrometheusClientMmap)
