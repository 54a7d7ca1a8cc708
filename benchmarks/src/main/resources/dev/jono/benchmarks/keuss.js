'use strict';
// Runs keuss for SpeedTable, with signals and stats on the server of the queues, as in production. Reads one JSON object per
// line: an operation, which it prepares and answers with {ready}, then {op: "go"}, which it answers with {done, wrong} or
// {error}. The operation "ages" has no end: it prints a line per message.
//
// Usage: node keuss.js FOLDER SERVER BACKEND QUEUE. keuss is installed in FOLDER. SERVER is the port of a Redis on this host or
// the URI of a MongoDB database. With pl-mongo, messages pass three links before they are popped.

const { createRequire } = require('module');
const readline = require('readline');

const [folder, server, backend, name] = process.argv.slice(2);
const load = createRequire(folder + '/');
const redis = () => ({ Redis: { host: '127.0.0.1', port: Number(server) } });
const options = server.startsWith('mongodb:') ? {
  name: 'N',
  url: server,
} : {
  name: 'N',
  redis: redis(),
  signaller: { provider: load('keuss/signal/redis-pubsub'), opts: redis() },
  stats: { provider: load('keuss/stats/redis'), opts: redis() },
};
const print = object => process.stdout.write(JSON.stringify(object) + '\n');

// As in NumberedMessages.java.
function payload(number) {
  return String(number).padStart(9, '0') + 'x'.repeat(191);
}

// Runs a number of steps (total) and keeps some of them (width) in flight; each step ends with a callback.
function inFlight(total, width, step, done) {
  let begun = 0;
  let ended = 0;
  const next = () => {
    if (begun < total) step(begun++, end);
  };
  const end = err => {
    if (err) return print({ error: String(err) });
    if (++ended === total) done();
    else next();
  };
  for (let i = 0; i < width; i++) next();
}

// Counts the messages that arrive more than once or are unknown.
class Arrivals {
  constructor(total) {
    this.seen = new Uint8Array(total);
    this.wrong = 0;
  }
  add(element) {
    const number = Number(element.payload.slice(0, 9));
    if (!(number < this.seen.length) || this.seen[number]++) this.wrong++;
  }
}

function start(queue, last) {
  const operations = {
    push({ total, width }) {
      const payloads = Array.from({ length: total }, (_, i) => payload(i));
      print({ ready: true });
      return () => inFlight(total, width, (i, end) => queue.push(payloads[i], {}, end), () => print({ done: total, wrong: 0 }));
    },
    pop({ total, width }) {
      const arrivals = new Arrivals(total);
      print({ ready: true });
      return () => inFlight(total, width, (i, end) => queue.pop('bench', {}, (err, element) => {
        if (!err) arrivals.add(element);
        end(err);
      }), () => print({ done: total, wrong: arrivals.wrong }));
    },
    reserve({ total, width }) {
      const arrivals = new Arrivals(total);
      print({ ready: true });
      return () => inFlight(total, width, (i, end) => queue.pop('bench', { reserve: true }, (err, element) => {
        if (err) return end(err);
        arrivals.add(element);
        queue.ok(element, (failure, done) => end(failure || (done ? null : 'ok was refused')));
      }), () => print({ done: total, wrong: arrivals.wrong }));
    },
    // Pushes, and pops one message at a time at the end of the pipeline, which is faster than the links. With many waiting pops,
    // some would miss their signals and wait for ever.
    through({ total, width }) {
      const payloads = Array.from({ length: total }, (_, i) => payload(i));
      const arrivals = new Arrivals(total);
      print({ ready: true });
      return () => {
        inFlight(total, width, (i, end) => queue.push(payloads[i], {}, end), () => {});
        inFlight(total, 1, (i, end) => last.pop('bench', {}, (err, element) => {
          if (!err) arrivals.add(element);
          end(err);
        }), () => print({ done: total, wrong: arrivals.wrong }));
      };
    },
    // Pushes the current time at even gaps (millis), as often as total says.
    pace({ total, millis }) {
      print({ ready: true });
      return () => {
        const begin = process.hrtime.bigint();
        let sent = 0;
        const one = () => {
          queue.push(String(process.hrtime.bigint()), {}, err => { if (err) print({ error: String(err) }); });
          if (++sent === total) return print({ done: total, wrong: 0 });
          const next = begin + BigInt(Math.round(sent * millis * 1e6));
          setTimeout(one, Math.max(0, Number(next - process.hrtime.bigint()) / 1e6));
        };
        one();
      };
    },
    // Prints the delay of each message, in nanoseconds.
    ages() {
      print({ ready: true });
      const next = () => queue.pop('bench', {}, (err, element) => {
        if (err) return print({ error: String(err) });
        process.stdout.write(String(process.hrtime.bigint() - BigInt(element.payload)) + '\n');
        next();
      });
      return next;
    },
  };
  let prepared;
  readline.createInterface({ input: process.stdin }).on('line', line => {
    const command = JSON.parse(line);
    if (command.op === 'go') prepared();
    else prepared = operations[command.op](command);
  }).on('close', () => process.exit(0));
  print({ ready: true });
}

// Opens a pipeline of three links that pass on each message.
function pipeline(factory) {
  const on = (element, done) => done(null, {});
  const names = ['', '-2', '-3', '-end'].map(suffix => name + suffix);
  let builder = factory.builder().pipeline('bench');
  for (const one of names) builder = builder.queue(one, {});
  for (let i = 0; i < 3; i++) builder = builder.directLink(names[i], names[i + 1], on);
  builder.onError(err => print({ error: JSON.stringify(err) })).done((err, made) => {
    if (err) throw err;
    made.start();
    start(made.queues()[names[0]], made.queues()[names[3]]);
  });
}

load('keuss/backends/' + backend)(options, (err, factory) => {
  if (err) throw err;
  if (backend === 'pl-mongo') return pipeline(factory);
  factory.queue(name, {}, (failure, queue) => {
    if (failure) throw failure;
    start(queue);
  });
});
