'use strict';
// Runs keuss for a test. Reads one JSON object per line, {id, op, …}, and answers each with {id, ok} or {id, err}, in
// any order. Ends when its input does.
//
// Usage: node driver.js

const readline = require('readline');

// keuss's capped signaller expects the words in which MongoDB before 6.0 said that a channel is there already.
const { Db, ObjectId } = require('mongodb');
const createCollection = Db.prototype.createCollection;
Db.prototype.createCollection = function (name, options, callback) {
  return createCollection.call(this, name, options, (err, collection) => {
    if (err && err.code === 48) err.message = 'collection already exists';
    callback(err, collection);
  });
};

const backends = Object.fromEntries(['redis-list', 'redis-oq', 'mongo', 'pl-mongo', 'ps-mongo', 'bucket-mongo-safe', 'postgres']
  .map(name => [name, require('keuss/backends/' + name)]));
const DirectLink = require('keuss/Pipeline/DirectLink');

const factories = new Map();
const queues = new Map();
const drains = new Map();
const links = new Map();

// A Buffer travels as {$buffer_base64: text}, a missing value as {$undefined: true}, an ObjectId as {$oid: hex}: as in the
// golden fixtures.
function encode(value) {
  if (value === undefined) return { $undefined: true };
  if (Buffer.isBuffer(value)) return { $buffer_base64: value.toString('base64') };
  if (value instanceof Date) return value.toJSON();
  if (value instanceof ObjectId) return { $oid: value.toHexString() };
  if (Array.isArray(value)) return value.map(encode);
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, encode(v)]));
  }
  return value;
}

function decode(value) {
  if (Array.isArray(value)) return value.map(decode);
  if (value && typeof value === 'object') {
    if (typeof value.$buffer_base64 === 'string') return Buffer.from(value.$buffer_base64, 'base64');
    if (value.$undefined) return undefined;
    if (typeof value.$oid === 'string') return new ObjectId(value.$oid);
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, decode(v)]));
  }
  return value;
}

const call = (target, method, ...args) =>
  new Promise((resolve, reject) => target[method](...args, (err, res) => (err ? reject(err) : resolve(res))));

// Where a factory keeps its queues, signals and stats: {port} of a Redis on this host, or {url} of a MongoDB. With
// {postgres}, options of pg, the queues are there, and signals and stats in that Redis.
function place(where) {
  if (where.url) return { url: where.url };
  const redis = { Redis: { host: '127.0.0.1', port: where.port } };
  return {
    redis,
    postgres: where.postgres,
    signaller: { provider: require('keuss/signal/redis-pubsub'), opts: redis },
    stats: { provider: require('keuss/stats/redis'), opts: redis },
  };
}

const operations = {
  // {factory, backend, ns, where, opts}: opts go to keuss as they are
  factory: async c => {
    const options = {
      name: c.ns,
      ...place(c.where),
      ...c.opts,
    };
    factories.set(c.factory, await new Promise((resolve, reject) =>
      backends[c.backend](options, (err, f) => (err ? reject(err) : resolve(f)))));
  },
  queue: async c => {
    queues.set(c.queue, await call(factories.get(c.factory), 'queue', c.name || c.queue, c.opts || {}));
  },
  push: c => call(queues.get(c.queue), 'push', decode(c.payload), c.opts || {}),
  pop: c => call(queues.get(c.queue), 'pop', 'test', c.opts || {}),
  reserve: c => call(queues.get(c.queue), 'pop', 'test', { ...c.opts, reserve: true }),
  ok: c => call(queues.get(c.queue), 'ok', decode(c.element)),
  ko: c => call(queues.get(c.queue), 'ko', decode(c.element), ...(c.next === undefined ? [] : [c.next])),
  remove: c => call(queues.get(c.queue), 'remove', c.element),
  size: c => call(queues.get(c.queue), 'size'),
  totalSize: c => call(queues.get(c.queue), 'totalSize'),
  schedSize: c => call(queues.get(c.queue), 'schedSize'),
  next_t: c => call(queues.get(c.queue), 'next_t'),
  stats: c => call(queues.get(c.queue), 'stats'),
  paused: c => call(queues.get(c.queue), 'paused'),
  // keuss's own takes no callback: it writes the flag and then signals
  pause: async c => queues.get(c.queue).pause(c.value),
  waiting: async c => queues.get(c.queue).consumers().filter(w => w.wakeup_timeout === 'set').length,
  resvSize: c => call(queues.get(c.queue), 'resvSize'),
  list: c => call(factories.get(c.factory), 'list', {}),
  listFull: c => call(factories.get(c.factory), 'list', { full: true }),

  // {queue, from, count, width}: pushes the numbers from … from + count - 1, so many at a time
  produce: async c => {
    let next = c.from;
    const one = async () => {
      while (next < c.from + c.count) await call(queues.get(c.queue), 'push', next++, {});
    };
    await Promise.all(Array.from({ length: c.width }, one));
    return c.count;
  },

  // {queue, width, reserve}: takes until 'stop', so many at a time; the answer to 'stop' is what was taken. Without a
  // time-out: a taker of keuss's that gives up while its call is under way still takes a message, and loses it.
  consume: async c => {
    const drain = { taken: [], errors: [], running: true };
    const one = async () => {
      while (drain.running) {
        try {
          const element = await call(queues.get(c.queue), 'pop', 'test', { reserve: c.reserve });
          if (c.reserve && !(await call(queues.get(c.queue), 'ok', element))) {
            drain.errors.push(`ok refused for ${JSON.stringify(element)}`);
          }
          drain.taken.push(element.payload);
        } catch (e) {
          if (e !== 'cancel') drain.errors.push(text(e));
        }
      }
    };
    drain.ended = Promise.all(Array.from({ length: c.width }, one));
    drains.set(c.queue, drain);
  },
  taken: async c => drains.get(c.queue).taken.length,
  stop: async c => {
    const drain = drains.get(c.queue);
    drain.running = false;
    queues.get(c.queue).cancel();
    await drain.ended;
    return { taken: drain.taken, errors: drain.errors };
  },
  // {link, from, to, update}: moves all that comes, with keuss's update of its payload, until 'unlink'
  link: async c => {
    const link = new DirectLink(queues.get(c.from), queues.get(c.to), {});
    link.on('error', e => process.stderr.write(`link ${c.link}: ${text(e.err)}\n`));
    links.set(c.link, link);
    link.start((element, done) => done(null, { update: c.update }));
  },
  unlink: async c => links.get(c.link).stop(),
  close: async c => new Promise(resolve => factories.get(c.factory).close(() => resolve())),
};

function text(e) {
  if (e && e.timeout) return 'timeout';
  return e instanceof Error ? e.stack : typeof e === 'string' ? e : JSON.stringify(e);
}

const answer = object => process.stdout.write(JSON.stringify(object) + '\n');

readline.createInterface({ input: process.stdin }).on('line', async line => {
  const command = JSON.parse(line);
  try {
    const result = await operations[command.op](command);
    answer({ id: command.id, ok: encode(result === undefined ? null : result) });
  } catch (e) {
    answer({ id: command.id, err: text(e) });
  }
}).on('close', () => process.exit(0));

answer({ ready: true });
