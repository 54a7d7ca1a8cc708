'use strict';
// keuss, as it is set up in production: signals and stats on the server of the queues. It takes and pushes one message a call;
// at its best, 64 calls are in flight (more make it no faster).
//
// Usage: node peer.js FOLDER SETTINGS: FOLDER is where keuss is installed; SETTINGS is JSON with backend, url, queue.

const { createRequire } = require('module');
const { serve, hands } = require('../harness.js');

const load = createRequire(process.argv[2] + '/');

// keuss's capped signaller expects the words in which MongoDB before 6.0 said that a channel is there already.
const { Db } = load('mongodb');
const createCollection = Db.prototype.createCollection;
Db.prototype.createCollection = function (name, options, callback) {
  return createCollection.call(this, name, options, (err, collection) => {
    if (err && err.code === 48) err.message = 'collection already exists';
    callback(err, collection);
  });
};

const { backend, url, queue: name } = JSON.parse(process.argv[3]);
const IN_FLIGHT = 64;

const redis = () => ({ Redis: { host: new URL(url).hostname, port: Number(new URL(url).port) } });
const options = url.startsWith('mongodb:') ? { name: 'N', url } : {
  name: 'N',
  redis: redis(),
  signaller: { provider: load('keuss/signal/redis-pubsub'), opts: redis() },
  stats: { provider: load('keuss/stats/redis'), opts: redis() },
};

const call = f => new Promise((resolve, reject) => f((err, result) => err ? reject(err) : resolve(result)));
const widthOf = width => width === 0 ? IN_FLIGHT : width;

function peer(queue, last) {
  const push = text => call(done => queue.push(text, {}, done));
  return {
    async push(texts, width) {
      let next = 0;
      await hands(Math.min(widthOf(width), texts.length), async () => {
        if (next >= texts.length) return false;
        await push(texts[next++]);
        return true;
      });
    },
    send: push,
    async take(step, intake, width) {
      const reserve = step === 'RESERVE_ACK';
      // Not at once: a pop that is cancelled while it asks the storage goes on looking in keuss, takes a message later, and drops it.
      intake.closed.then(() => setTimeout(() => last.cancel(), 300));
      await hands(widthOf(width), async () => {
        if (!intake.open) return false;
        let element;
        try {
          element = await call(done => last.pop('compare', { reserve }, done));
        } catch (err) {
          if (err === 'cancel') return false;
          throw err;
        }
        if (!element) return true;
        intake.arrived(element.payload);
        if (reserve) {
          const ok = await call(done => last.ok(element, done));
          if (!ok) throw new Error('ok was refused');
        }
        intake.settled(1);
        return true;
      });
    },
  };
}

load('keuss/backends/' + backend)(options, (err, factory) => {
  if (err) throw err;
  if (backend === 'pl-mongo') {
    // Its queues exist within a pipeline only; both ends are the same queue here.
    factory.builder().pipeline('compare').queue(name, {}).done((failure, made) => {
      if (failure) throw failure;
      const queue = made.queues()[name];
      serve(peer(queue, queue));
    });
    return;
  }
  factory.queue(name, {}, (failure, queue) => {
    if (failure) throw failure;
    serve(peer(queue, queue));
  });
});
