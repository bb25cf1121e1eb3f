/** Flatbuffers written by hand: a table's members by their places, and a `.tflite` of one operator. */

/** A scalar of so many bytes; a text, bytes, 32-bit numbers, tables, or one table by the places of its members. */
export type Field = Scalar | string | Uint8Array | readonly number[] | readonly Fields[] | Fields;
export interface Fields {
  readonly [place: number]: Field;
}
interface Scalar {
  readonly scalar: number;
  readonly bytes: 1 | 4 | 8;
}

export const byte = (scalar: number): Scalar => ({ scalar, bytes: 1 });
export const int = (scalar: number): Scalar => ({ scalar, bytes: 4 });
export const long = (scalar: number): Scalar => ({ scalar, bytes: 8 });

const isScalar = (field: Field): field is Scalar => typeof field === "object" && "scalar" in field;

/** The file with this root table, marked as what it is. */
export function flatbuffer(root: Fields, mark = "TFL3"): ArrayBuffer {
  const bytes: number[] = [0, 0, 0, 0, ...Buffer.from(mark)];
  const put = (at: number, value: number, size: number): void => {
    for (let each = 0; each < size; each++) bytes[at + each] = Math.floor(value / 2 ** (8 * each)) & 255;
  };
  const add = (value: number, size: number): number => {
    const at = bytes.length;
    put(at, value, size);
    return at;
  };
  const list = (count: number, each: (at: number) => void): number => {
    const at = add(count, 4);
    for (let item = 0; item < count; item++) each(item);
    return at;
  };
  const write = (field: Exclude<Field, Scalar>): number => {
    if (typeof field === "string") return write(Uint8Array.from(Buffer.from(field)));
    if (field instanceof Uint8Array) return list(field.length, (at) => add(field[at] ?? 0, 1));
    if (!Array.isArray(field)) return table(field as Fields);
    if (typeof field[0] !== "object") return list(field.length, (at) => add(Number(field[at]), 4));
    const places: number[] = [];
    const at = list(field.length, () => places.push(add(0, 4)));
    for (const [item, place] of places.entries()) put(place, table(field[item] as Fields) - place, 4);
    return at;
  };
  const table = (fields: Fields): number => {
    const places = Object.keys(fields).map(Number);
    const most = Math.max(-1, ...places);
    const own = add(4 + 2 * (most + 1), 2);
    const sized = add(0, 2);
    for (let place = 0; place <= most; place++) add(0, 2);
    const at = add(0, 4);
    put(at, at - own, 4);
    const later: (() => void)[] = [];
    for (const place of places) {
      const field = fields[place] as Field;
      const here = add(isScalar(field) ? field.scalar : 0, isScalar(field) ? field.bytes : 4);
      put(own + 4 + 2 * place, here - at, 2);
      if (!isScalar(field)) later.push(() => put(here, write(field) - here, 4));
    }
    put(sized, bytes.length - at, 2);
    for (const each of later) each();
    return at;
  };
  put(0, table(root), 4);
  return Uint8Array.from(bytes).buffer;
}

const BUILTIN = { add: 0, custom: 32 };

/** What a file of one operator is made of, and may be made of instead. */
export interface Lite {
  readonly model?: Fields;
  readonly graph?: Fields;
  readonly code?: Fields;
  readonly operator?: Fields;
  readonly output?: Fields;
  readonly constant?: Fields;
  readonly buffer?: Fields;
  readonly signature?: Fields;
}

/** A `.tflite` that adds a number to each of nine: `board` in, `moves` out. */
export function tinyLite({
  model,
  graph,
  code,
  operator,
  output,
  constant,
  buffer,
  signature,
}: Lite = {}): ArrayBuffer {
  const tensors = [
    { 0: [1, 9], 2: int(0), 3: "board" },
    { 0: [1], 2: int(1), 3: "bias", ...constant },
    { 0: [1, 9], 2: int(0), 3: "moves", ...output },
  ];
  const own = { 0: tensors, 1: [0], 2: [2], 3: [{ 0: int(0), 1: [0, 1], 2: [2], ...operator }], ...graph };
  const named = (name: string, at: number): Fields => ({ 0: name, 1: int(at) });
  return flatbuffer({
    0: int(3),
    1: [{ 0: byte(BUILTIN.add), 2: int(1), 3: int(BUILTIN.add), ...code }],
    2: [own],
    4: [{}, { 0: Uint8Array.of(0, 0, 128, 62), ...buffer }],
    7: [{ 0: [named("board", 0)], 1: [named("moves", 2)], 2: "serving_default", ...signature }],
    ...model,
  });
}
