// Answers positions with a TF.js graph model: official packages, no network, one process a model.
//
//   node run.mjs MODEL_FOLDER PROJECT_FOLDER wasm|cpu
//
// PROJECT_FOLDER holds node_modules. The messages are told in messages.mjs; this process starts with
//   start     <- {"ok":true,"runtime":...}
//   predict   -> as run, whose outputs must be all of the signature's, in its order: the model's `predict` answers
//   together  -> as run, with "shapes":[names]: the constants whose first number is the batch, 1 in the file. In memory
//                alone it is -1 in them, as in the inputs' shapes, so that S may be any number of positions.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';

import { answerWith, operationsOf } from './messages.mjs';

async function loadPackages(project, backend) {
  const require = createRequire(path.join(path.resolve(project), 'package.json'));
  const core = require('@tensorflow/tfjs-core');
  const converter = require('@tensorflow/tfjs-converter');
  if (backend === 'wasm') {
    const wasm = require('@tensorflow/tfjs-backend-wasm');
    wasm.setWasmPaths(path.dirname(require.resolve('@tensorflow/tfjs-backend-wasm')) + path.sep);
  } else {
    require('@tensorflow/tfjs-backend-cpu');
  }
  if (!(await core.setBackend(backend))) throw new Error(`the ${backend} backend does not start`);
  await core.ready();
  return { core, converter };
}

async function runtimeName(core, backend) {
  const simd = backend === 'wasm' && (await core.env().getAsync('WASM_HAS_SIMD_SUPPORT'));
  const detail = simd ? `${backend} backend (SIMD)` : `${backend} backend`;
  return `@tensorflow/tfjs ${core.version_core}, ${detail}, Node ${process.versions.node}`;
}

function readInside(folder, name) {
  const root = fs.realpathSync(folder);
  const file = fs.realpathSync(path.resolve(root, name));
  if (!file.startsWith(root + path.sep)) throw new Error(`${name} lies outside the model's folder`);
  return fs.readFileSync(file);
}

/** `freed` changes what was read of model.json, in memory alone. */
function loadModel({ converter }, folder, freed = () => undefined) {
  const model = JSON.parse(readInside(folder, 'model.json').toString('utf8'));
  freed(model);
  const shards = model.weightsManifest.flatMap((group) => group.paths.map((name) => readInside(folder, name)));
  const bytes = Buffer.concat(shards);
  return converter.loadGraphModelSync({
    load: () => ({
      modelTopology: model.modelTopology,
      format: model.format,
      signature: model.signature,
      userDefinedMetadata: model.userDefinedMetadata,
      weightSpecs: model.weightsManifest.flatMap((group) => group.weights),
      weightData: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    }),
  });
}

/** The model with a free batch: -1 as the first number of its inputs' shapes and of the constants named `shapes`. */
function loadFreeModel(packages, folder, shapes) {
  const free = ({ modelTopology }) => {
    for (const { op, attr } of modelTopology.node) if (op === 'Placeholder') attr.shape.shape.dim[0].size = '-1';
  };
  const model = loadModel(packages, folder, free);
  for (const name of shapes) {
    const [shape] = model.weights[name];
    model.weights[name] = [packages.core.tensor1d([-1, ...shape.dataSync().slice(1)], 'int32')];
    shape.dispose();
  }
  return model;
}

// One batch: rows at..at+step of every feed, answers copied out, tensors released.
function answer(core, model, feeds, at, step, outputs, ask = (tensors) => model.execute(tensors, outputs)) {
  return core.tidy(() => {
    const tensors = {};
    for (const { name, dtype, shape, values } of feeds) {
      const row = values.length / shape[0];
      const rows = values.subarray(at * row, (at + step) * row);
      tensors[name] = core.tensor(rows, [rows.length / row, ...shape.slice(1)], dtype);
    }
    const results = ask(tensors);
    return (Array.isArray(results) ? results : [results]).map((tensor) => ({
      dtype: tensor.dtype, shape: tensor.shape, data: tensor.dataSync().slice(),
    }));
  });
}

await answerWith(async ([folder, project, backend]) => {
  const packages = await loadPackages(project, backend);
  const { core } = packages;
  const model = loadModel(packages, folder);
  const operations = operationsOf((...batch) => answer(core, model, ...batch));
  const predicted = (...batch) => answer(core, model, ...batch, (tensors) => model.predict(tensors));
  const predict = operationsOf(predicted).run;
  const together = (request, payload) => {
    const free = loadFreeModel(packages, folder, request.shapes);
    try {
      return operationsOf((...batch) => answer(core, free, ...batch)).run(request, payload);
    } finally {
      free.dispose();
    }
  };
  return [{ runtime: await runtimeName(core, backend) }, { ...operations, predict, together }];
});
