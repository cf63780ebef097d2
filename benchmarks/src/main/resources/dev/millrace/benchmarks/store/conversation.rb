# The Ruby half of what PeerProcess says; the clients' own parts are in the scripts beside it.
VALUES = [0.003, 0.03, 0.3, 3].freeze
FIRST_DEAD_PID = 10_000_000

def write_all(client, sets)
  sets.each { |db, statement| VALUES.each { |value| client.observe(db, statement, value) } }
end

def write_alive(type, directory, sets, count)
  pids = count.times.map { fork { write_all(type.new(directory, false), sets) } }
  pids.each do |pid|
    Process.wait(pid)
    raise "a writer ended with #{$?.exitstatus}" unless $?.success?
  end
end

def cpu_nanos
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
end

def converse(type)
  directory, workload = ARGV
  sets = File.readlines(workload, chomp: true, encoding: 'UTF-8').map { |line| line.split("\t") }
  client = nil
  $stdout.sync = true
  while (line = $stdin.gets)
    command, argument = line.chomp.split(' ', 2)
    before = cpu_nanos
    written = 0
    case command
    when 'write' then write_alive(type, directory, sets, argument.to_i)
    when 'write-dead' then type.write_dead(directory, sets, argument.to_i)
    when 'open' then client = type.new(directory, argument == 'pair')
    when 'scrape' then written = client.text.bytesize
    when 'text' then File.write(argument, client.text)
    when 'pair' then client.pairs(*sets[sets.size / 2], argument.to_i)
    when 'lookup' then client.lookups(*sets[sets.size / 2], argument.to_i)
    else raise "expected a command, found #{line}"
    end
    puts "#{cpu_nanos - before} #{written}"
  end
end
