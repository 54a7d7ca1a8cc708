'use strict';
// The child process of a contestant that is a Node library, with the protocol of ContestantMain.java. A peer.js calls serve()
// with the functions of Driver.java, which return promises:
//   { push(texts, width), send(text), sendAll(texts), prepare(step, width), take(step, progress, width) }
// sendAll and prepare are optional, and send is needed only for paced flows. For many queues it also has
//   over: { queues(count), push(texts, width), prepare(step, width), take(step, progress, width) }

const readline = require('readline');

const DIGITS = 9;
const STAMP = 19;
const LEAST = DIGITS + STAMP;
// As in ContestantMain.java: the maximum number of paced messages in one call, if several are due at once.
const MAX_DUE_BATCH = 100;

const out = object => process.stdout.write(JSON.stringify(object) + '\n');
const now = () => process.hrtime.bigint();

// As in Payloads.java.
function text(number, bytes, stamp) {
  return String(number).padStart(DIGITS, '0') + String(stamp).padStart(STAMP, '0') + 'x'.repeat(bytes - LEAST);
}

// As in TakeProgress.java.
class TakeProgress {
  constructor({ first, count, expected, bytes }) {
    this.first = first;
    this.bytes = bytes;
    this.rest = 'x'.repeat(bytes - LEAST);
    this.count = count;
    this.expected = expected;
    this.seen = new Uint8Array(Math.floor(count / 8) + 1);
    this.micros = new Uint32Array(count);
    this.stamped = 0;
    this.again = 0;
    this.foreign = 0;
    this.settledCount = 0;
    this.end = 0n;
    this.open = true;
    this.closed = new Promise(resolve => { this.resolve = resolve; });
  }
  arrived(message) {
    const ours = typeof message === 'string' && message.length === this.bytes && message.endsWith(this.rest);
    const place = ours ? Number(message.slice(0, DIGITS)) - this.first : -1;
    if (!(place >= 0 && place < this.count)) {
      this.foreign++;
      return;
    }
    const bit = 1 << (place % 8);
    const at = Math.floor(place / 8);
    if (this.seen[at] & bit) this.again++;
    this.seen[at] |= bit;
    const stamp = BigInt(message.slice(DIGITS, LEAST));
    if (stamp !== 0n && this.stamped < this.count) this.micros[this.stamped++] = Number((now() - stamp) / 1000n);
  }
  settled(more) {
    this.settledCount += more;
    this.end = now();
    if (this.expected >= 0 && this.settledCount >= this.expected) this.stop();
  }
  stop() {
    this.open = false;
    this.resolve();
  }
}

// Repeats a step until it returns false, with this many steps (width) at once.
async function repeat(width, step) {
  const one = async () => {
    while (await step());
  };
  await Promise.all(Array.from({ length: width }, one));
}

// Calls add for each text, with this many calls at once. Texts whose places differ by a multiple of width are added in order.
async function inLanes(width, texts, add) {
  let lane = 0;
  await repeat(Math.min(width, texts.length), async () => {
    for (let place = lane++; place < texts.length; place += width) await add(texts[place]);
    return false;
  });
}

function serve(peer) {
  const functions = command => command.queues ? peer.over : peer;
  let prepared;
  let progress;

  async function run(command) {
    const { op, first, count, bytes, width } = command;
    const answer = {};
    const begin = now();
    answer.begin = Number(begin);
    if (op === 'push') {
      await functions(command).push(command.texts, width);
      answer.end = Number(now());
    } else if (op === 'pace') {
      let failure;
      let late = 0n;
      const sent = [];
      await new Promise(resolve => {
        let i = 0;
        const due = () => begin + BigInt(Math.floor(i * 1e9 / command.rate));
        const tick = () => {
          const batch = [];
          const until = now();
          for (; i < count && batch.length < MAX_DUE_BATCH && due() <= until; i++) {
            const lateness = until - due();
            if (lateness > late) late = lateness;
            batch.push(text(first + i, bytes, due()));
          }
          const sending = batch.length > 1 && peer.sendAll ? [peer.sendAll(batch)] : batch.map(peer.send);
          sending.forEach(each => sent.push(each.catch(err => { failure = err; })));
          if (i === count) return resolve();
          const wait = Number(due() - now()) / 1e6;
          // A timer fires a millisecond or more too late: messages that are due sooner are checked in the next turn.
          if (wait > 2) setTimeout(tick, wait - 1);
          else setImmediate(tick);
        };
        tick();
      });
      await Promise.all(sent);
      if (failure) throw failure;
      answer.lateMicros = Number(late / 1000n);
      answer.end = Number(now());
    } else {
      let reported = 0;
      const reporter = setInterval(() => {
        if (progress.settledCount !== reported) out({ settled: (reported = progress.settledCount) });
      }, 50);
      await functions(command).take(command.step, progress, width);
      clearInterval(reporter);
      answer.end = Number(progress.end);
      answer.settled = progress.settledCount;
      answer.seen = Buffer.from(progress.seen).toString('base64');
      answer.again = progress.again;
      answer.foreign = progress.foreign;
      answer.micros = Buffer.from(progress.micros.buffer, 0, 4 * progress.stamped).toString('base64');
    }
    return answer;
  }

  const failed = err => out({ error: String(err && err.stack || err) });
  readline.createInterface({ input: process.stdin }).on('line', async line => {
    const command = JSON.parse(line);
    try {
      if (command.op === 'stop') {
        if (progress) progress.stop();
      } else if (command.op === 'go') {
        out(await run(prepared));
      } else {
        prepared = command;
        if (command.queues) await peer.over.queues(command.queues);
        if (command.op === 'push') {
          command.texts = Array.from({ length: command.count }, (_, i) => text(command.first + i, command.bytes, 0));
        }
        if (command.op === 'take') {
          progress = new TakeProgress(command);
          if (functions(command).prepare) await functions(command).prepare(command.step, command.width);
        }
        out({ ready: true });
      }
    } catch (err) {
      failed(err);
    }
  }).on('close', () => process.exit(0));
  process.on('unhandledRejection', failed);
  out({ ready: true });
}

module.exports = { serve, repeat, inLanes };
