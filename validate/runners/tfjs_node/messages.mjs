// What a Node process that answers positions and the runner that started it say to each other.
//
// stdin and stdout carry messages: one line of JSON with "bytes", then that many bytes, arrays one after the other in
// the order that the line gives, little-endian.
//   start  <- {"ok":true,...}
//   any    -> {"op":NAME,...,"bytes":B}
//          <- {"ok":true,...,"bytes":B}
//          <- {"ok":false,"error":"...","damaged":whether it is no such file at all}
// The process ends when stdin does.
import fs from 'node:fs';

const ARRAYS = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };

/** What no runtime can load: not a file of its format. */
export class Damaged extends Error {}

/**
 * Start with what the command line says, then answer until stdin ends.
 *
 * `begin` takes the arguments and gives the first reply and the operations: (request, payload) -> [reply, bytes].
 */
export async function answerWith(begin) {
  forbidNetwork();
  try {
    const [reply, operations] = await begin(process.argv.slice(2));
    send({ ok: true, ...reply });
    for await (const [request, payload] of messages(process.stdin)) {
      try {
        const [found, bytes] = operations[request.op](request, payload);
        send({ ok: true, ...found }, bytes);
      } catch (error) {
        sendFault(error);
      }
    }
  } catch (error) {
    sendFault(error);
    process.exitCode = 1;
  }
}

function forbidNetwork() {
  globalThis.fetch = () => { throw new Error('the network is not used here'); };
  // stdout belongs to the messages.
  console.log = console.info = console.debug = console.warn = console.error;
}

function sendFault(error) {
  send({ ok: false, error: String(error?.message ?? error), damaged: error instanceof Damaged });
}

/**
 * The operations of an open model: `answer(feeds, at, step, outputs)` gives one batch, rows at..at+step of every feed,
 * as {dtype, shape, data} of each of the named outputs.
 *
 *   run    -> {"op":"run","step":S,"inputs":[{"name","dtype","shape"}...],"outputs":[names],"bytes":B}
 *          <- {"ok":true,"outputs":[{"name","dtype","shape"}...],"bytes":B}      first axes: all positions
 *   bench  -> {"op":"bench","step":S,"warmup":W,"repeats":R,"inputs":...,"outputs":...,"bytes":B}
 *          <- {"ok":true,"milliseconds":[R numbers, one batch of S positions each],"bytes":0}
 */
export function operationsOf(answer) {
  const run = ({ inputs, outputs: names, step }, payload) => {
    const feeds = readFeeds(inputs, payload);
    const batches = [];
    for (let at = 0; at < feeds[0].shape[0]; at += step) batches.push(answer(feeds, at, step, names));
    const outputs = names.map((name, index) => {
      const parts = batches.map((batch) => batch[index]);
      const first = parts.reduce((sum, part) => sum + part.shape[0], 0);
      return { name, dtype: parts[0].dtype, shape: [first, ...parts[0].shape.slice(1)] };
    });
    const chunks = names.flatMap((_, index) => batches.map(({ [index]: { data } }) =>
      Buffer.from(data.buffer, data.byteOffset, data.byteLength)));
    return [{ outputs }, Buffer.concat(chunks)];
  };
  const bench = ({ inputs, outputs, step, warmup, repeats }, payload) => {
    const feeds = readFeeds(inputs, payload);
    const steps = Math.max(1, Math.floor(feeds[0].shape[0] / step));
    const milliseconds = [];
    for (let index = -warmup; index < repeats; index += 1) {
      const at = (((index % steps) + steps) % steps) * step;
      const start = performance.now();
      answer(feeds, at, step, outputs);
      if (index >= 0) milliseconds.push(performance.now() - start);
    }
    return [{ milliseconds }, Buffer.alloc(0)];
  };
  return { run, bench };
}

/** The arrays of a request: {name, dtype, shape, values} each. */
function readFeeds(inputs, payload) {
  let at = 0;
  return inputs.map(({ name, dtype, shape }) => {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = new ARRAYS[dtype](count);
    const size = values.byteLength;
    payload.copy(Buffer.from(values.buffer), 0, at, at + size);
    at += size;
    return { name, dtype, shape, values };
  });
}

// A message may come in several pieces, so bytes are kept until it is whole.
async function* messages(stream) {
  let kept = [];
  let length = 0;
  let header = null;
  for await (const piece of stream) {
    kept.push(piece);
    length += piece.length;
    for (;;) {
      if (!header) {
        const all = Buffer.concat(kept);
        const end = all.indexOf(10);
        kept = [all];
        if (end < 0) break;
        header = JSON.parse(all.subarray(0, end).toString('utf8'));
        kept = [all.subarray(end + 1)];
        length = all.length - end - 1;
      }
      if (length < header.bytes) break;
      const all = Buffer.concat(kept);
      yield [header, all.subarray(0, header.bytes)];
      kept = [all.subarray(header.bytes)];
      length = all.length - header.bytes;
      header = null;
    }
  }
}

// writeSync, because process.stdout would buffer a whole answer and may lose it on exit.
function send(reply, payload = Buffer.alloc(0)) {
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify({ ...reply, bytes: payload.length })}\n`), payload]);
  for (let at = 0; at < whole.length;) {
    try {
      at += fs.writeSync(1, whole, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
