// Answers positions with a .tflite in LiteRT.js: the official package, one thread, no network, one process a model.
//
//   node litert.mjs MODEL_FILE PROJECT_FOLDER
//
// PROJECT_FOLDER holds node_modules. The messages are told in messages.mjs; this process starts with
//   start  <- {"ok":true,"runtime":...,"signature":NAME,"inputs":[{"name","dtype","shape"}...],"outputs":[...]}
// A size that the file leaves free is -1.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';

import { answerWith, Damaged, operationsOf } from './messages.mjs';

const PACKAGE = '@litertjs/core';
// The numbers of LiteRT's own enumeration; of what is not among them no contract speaks.
const DTYPES = { 1: 'float32', 2: 'int32', 3: 'uint8', 4: 'int64', 6: 'bool', 9: 'int8', 10: 'float16', 11: 'float64' };
// A function that takes the relaxed product of two vectors: what an engine without it refuses as a module.
const RELAXED_SIMD = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0],
  ...[65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11],
);

/** The build that the web app has where this Node can run it, else the package's own for engines without relaxed SIMD. */
function chooseBuild() {
  // Node 20 has it behind a flag, later ones have it at once.
  if (!WebAssembly.validate(RELAXED_SIMD)) v8.setFlagsFromString('--experimental-wasm-relaxed-simd');
  return WebAssembly.validate(RELAXED_SIMD)
    ? { file: 'litert_wasm_internal', detail: 'wasm (relaxed SIMD)' }
    : { file: 'litert_wasm_compat_internal', detail: 'wasm (no relaxed SIMD)' };
}

async function loadRuntime(project) {
  const folder = path.join(path.resolve(project), 'node_modules', ...PACKAGE.split('/'));
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { file, detail } = chooseBuild();
  const script = path.join(folder, 'wasm', `${file}.js`);
  // A script that leaves a function behind, in a package of modules: neither import nor require gives it.
  const code = `${fs.readFileSync(script, 'utf8')}\nreturn ModuleFactory;`;
  const load = vm.compileFunction(code, ['require', '__filename', '__dirname'], { filename: script });
  const fault = { last: '' };
  const wasm = await load(createRequire(script), script, path.dirname(script))({
    wasmBinary: fs.readFileSync(path.join(folder, 'wasm', `${file}.wasm`)),
    print: () => undefined,
    printErr: (line) => { if (/^ERROR/.test(line)) fault.last = line.replace(/^ERROR:?\s*(\[[^\]]*\])?\s*/, ''); },
  });
  wasm.setupLogging();
  const runtime = `${PACKAGE} ${version}, ${detail}, 1 thread, Node ${process.versions.node}`;
  return { wasm, environment: wasm.LiteRtEnvironment.create(null), fault, runtime };
}

/** What went wrong, in the runtime's own words where it logged any. */
function said(fault, error) {
  const words = fault.last || String(error.message ?? error);
  fault.last = '';
  return words;
}

async function loadModel({ wasm, environment, fault }, file) {
  const bytes = fs.readFileSync(file);
  const address = wasm._malloc(bytes.length);
  wasm.HEAPU8.set(bytes, address);
  let source;
  try {
    source = wasm.loadModel(environment, address, bytes.length);
  } catch (error) {
    throw new Damaged(said(fault, error));
  }
  const settings = { accelerator: 'wasm', cpuOptions: { numThreads: 1 }, gpuOptions: {}, webNNOptions: {} };
  try {
    return { source, compiled: await wasm.compileModel(environment, source, settings) };
  } catch (error) {
    throw new Error(said(fault, error));
  }
}

const listed = (vector) => Array.from({ length: vector.size() }, (_, at) => vector.get(at));

function portsOf(source) {
  const signature = source.getSignature(0);
  const port = (type, name) => {
    const code = type.elementType().value;
    return { name: String(name), dtype: DTYPES[code] ?? `type ${code}`, shape: listed(type.layout().dimensions()) };
  };
  return {
    signature: String(signature.key()),
    inputs: listed(signature.inputNames()).map((name, at) => port(source.getInputTensorType(0, at), name)),
    outputs: listed(signature.outputNames()).map((name, at) => port(source.getOutputTensorType(0, at), name)),
  };
}

function makeBuffers({ wasm, environment }, source, inputs) {
  return inputs.map((_, at) => {
    const type = source.getInputTensorType(0, at);
    return wasm.LiteRtTensorBuffer.createManaged(
      environment, wasm.LiteRtTensorBufferType.HOST_MEMORY, type, type.bytes());
  });
}

// One batch: rows at..at+step of every feed, answers copied out, what the runtime gave released.
function answer(wasm, compiled, buffers, ports, feeds, at, step) {
  feeds.forEach(({ values, shape }, index) => {
    const row = values.length / shape[0];
    const start = buffers[index].lock(wasm.LiteRtTensorBufferLockMode.WRITE);
    // Its memory may have moved since the last time: it grows.
    new Float32Array(wasm.HEAPU8.buffer, start, row * step).set(values.subarray(at * row, (at + step) * row));
    buffers[index].unlock();
  });
  return compiled.run(0, buffers).map((buffer, index) => {
    const start = buffer.lock(wasm.LiteRtTensorBufferLockMode.READ);
    const shape = [step, ...ports.outputs[index].shape.slice(1)];
    const data = new Float32Array(wasm.HEAPU8.buffer, start, countOf(ports.outputs[index])).slice();
    buffer.unlock();
    buffer.delete();
    return { dtype: 'float32', shape, data };
  });
}

/** What is no whole float32 tensor is refused. */
function refuseOthers(ports) {
  const other = [...ports.inputs, ...ports.outputs].find(({ dtype, shape }) => dtype !== 'float32' || Math.min(...shape) < 0);
  if (other) throw new Error(`'${other.name}' is ${other.dtype} of shape ${other.shape}, no whole float32 tensor`);
}

const countOf = ({ shape }) => shape.reduce((product, size) => product * size, 1);

await answerWith(async ([file, project]) => {
  const runtime = await loadRuntime(project);
  const { source, compiled } = await loadModel(runtime, file);
  const ports = portsOf(source);
  let buffers = null;
  const operations = operationsOf((...batch) => {
    refuseOthers(ports);
    buffers ??= makeBuffers(runtime, source, ports.inputs);
    try {
      return answer(runtime.wasm, compiled, buffers, ports, ...batch);
    } catch (error) {
      throw new Error(said(runtime.fault, error));
    }
  });
  return [{ runtime: runtime.runtime, ...ports }, operations];
});
