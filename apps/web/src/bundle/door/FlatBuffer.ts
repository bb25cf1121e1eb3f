/** A table of a flatbuffer, read where it lies: a RangeError if an offset or a length leads out of the file. */

export class Table {
  private readonly fields: number;

  private constructor(
    private readonly view: DataView,
    private readonly at: number,
  ) {
    this.fields = at - view.getInt32(at, true);
  }

  /** The root of a file that bears this mark; RangeError if it does not. */
  static root(bytes: ArrayBuffer, mark: string): Table {
    const view = new DataView(bytes);
    const own = [4, 5, 6, 7].map((at) => String.fromCharCode(view.getUint8(at))).join("");
    if (own !== mark) throw new RangeError(`the file is marked '${own}'`);
    return new Table(view, view.getUint32(0, true));
  }

  has(field: number): boolean {
    return this.place(field) !== 0;
  }

  byte(field: number): number {
    const at = this.place(field);
    return at && this.view.getInt8(at);
  }

  int(field: number): number {
    const at = this.place(field);
    return at && this.view.getInt32(at, true);
  }

  uint(field: number): number {
    const at = this.place(field);
    return at && this.view.getUint32(at, true);
  }

  long(field: number): bigint {
    const at = this.place(field);
    return at ? this.view.getBigUint64(at, true) : 0n;
  }

  text(field: number): string {
    return new TextDecoder().decode(this.bytes(field));
  }

  /** How many items a list has; 0 without one. */
  count(field: number): number {
    return this.list(field, 1).count;
  }

  bytes(field: number): Uint8Array {
    const { begin, count } = this.list(field, 1);
    return new Uint8Array(this.view.buffer, begin, count);
  }

  ints(field: number): readonly number[] {
    const { begin, count } = this.list(field, 4);
    return Array.from({ length: count }, (_, item) => this.view.getInt32(begin + 4 * item, true));
  }

  tables(field: number): readonly Table[] {
    const { begin, count } = this.list(field, 4);
    return Array.from({ length: count }, (_, item) => new Table(this.view, this.target(begin + 4 * item)));
  }

  /** Where a list's items begin, and how many there are; each has at least `bytes` bytes. */
  private list(field: number, bytes: number): { readonly begin: number; readonly count: number } {
    const at = this.place(field);
    if (!at) return { begin: 0, count: 0 };
    const begin = this.target(at) + 4;
    const count = this.view.getUint32(begin - 4, true);
    if (begin + count * bytes > this.view.byteLength) throw new RangeError("a list leads out of the file");
    return { begin, count };
  }

  private target = (at: number): number => at + this.view.getUint32(at, true);

  /** Where a member lies; 0 where the table has none. */
  private place(field: number): number {
    const entry = 4 + 2 * field;
    if (entry + 2 > this.view.getUint16(this.fields, true)) return 0;
    const offset = this.view.getUint16(this.fields + entry, true);
    return offset && this.at + offset;
  }
}
