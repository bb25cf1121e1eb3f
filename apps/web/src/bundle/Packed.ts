/** Files that a host has packed as they lie there: most hosts pack scripts as they send them, and nothing else. */

const [GZIP_1, GZIP_2] = [0x1f, 0x8b];

/** The file: unpacked where it is packed by gzip. */
export async function unpacked(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const [one, two] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (one !== GZIP_1 || two !== GZIP_2) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
